import { terminalLine, terminalText } from "../../../../lib/terminal-text.ts";
import type { PermissionRequest } from "../../../../tasks/ports.ts";
import { toolDetail } from "../../../../conversation/tool-detail.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { plural } from "../../../../lib/quantities.ts";
import { wrapText } from "../../render/wrap-text.ts";
import type { ViewWindow } from "./view-window.ts";

/** The question whether a tool may run: with everything that it would do, as far as the window holds it. */
export function permissionLines(
  asked: readonly PermissionRequest[],
  { columns, style }: ViewWindow,
  { rowsMax, isTyping }: { rowsMax: number; isTyping: boolean },
): string[] {
  const [request] = asked;
  if (!request) return [];
  const tool = terminalLine(request.tool);
  const detail = toolDetail({ name: request.tool, input: request.input, cwd: undefined }).detail;
  const title = terminalLine(request.title);
  const isSaid = detail === "" || title.includes(terminalLine(detail));
  const body = wrapText(terminalText(isSaid ? request.title : detail).trim(), Math.max(10, columns - 4));
  const room = Math.max(1, rowsMax - 3);
  // Where it does not fit, the person who answers must see that there is more.
  const cut =
    body.length > room
      ? [...body.slice(0, room - 1), `… ${plural(body.length - room + 1, "more line")}`]
      : body;
  // What "always" covers: see ruleFor.
  const isCommand = typeof request.input["command"] === "string";
  const more = asked.length > 1 ? ` (${asked.length - 1} more after this)` : "";
  const answers = isTyping
    ? "Empty the prompt (Ctrl+U) to answer"
    : `y allow · n deny · a always allow ${isCommand ? "this command" : tool}`;
  return [
    style.yellow(cutEnd(`? May ${tool} do this?${more}`, columns)),
    ...cut.map((line) => `    ${cutEnd(line, columns - 4)}`),
    style.dim(cutEnd(`  ${answers}`, columns)),
  ];
}
