import { formatDollars, formatTokens } from "../../../../lib/quantities.ts";
import { terminalLine } from "../../../../lib/terminal-text.ts";
import { cutEnd, cutStart } from "../../render/cut-text.ts";
import { displayWidth } from "../../render/display-width.ts";
import type { ThreadUsage } from "../../../../agents/threads/thread-event.ts";
import type { ChatHeader } from "../state/chat-state.ts";
import type { ViewWindow } from "./view-window.ts";

const SEPARATOR = " · ";
/** A folder that is cut to less says nothing. */
const FOLDER_COLUMNS = 8;

/**
 * Who is talked to, where, who decides about tools, how full the conversation is and what it has cost, in one line. In a
 * narrow window the folder gives way first, then the model.
 */
export function headerLine(
  { agent: name, folder, permission, model: asked }: ChatHeader,
  { model = asked, contextTokens, costUsd }: ThreadUsage,
  { columns, style }: ViewWindow,
): string {
  const agent = terminalLine(name);
  const named = model === undefined || model === name ? [] : [terminalLine(model)];
  const end = [
    `tools: ${permission}`,
    ...(contextTokens === undefined ? [] : [`${formatTokens(contextTokens)} context`]),
    ...(costUsd === undefined ? [] : [formatDollars(costUsd)]),
  ];
  const join = (...parts: string[]): string => parts.join(SEPARATOR);
  const room = columns - displayWidth(join(agent, ...named, "", ...end));
  const whole =
    room >= FOLDER_COLUMNS ? join(agent, ...named, cutStart(terminalLine(folder), room), ...end) : "";
  const without = [whole, join(agent, ...named, ...end), join(agent, ...end)];
  const shown = without.find((line) => line !== "" && displayWidth(line) <= columns) ?? join(...end);
  return style.dim(cutEnd(shown, columns));
}
