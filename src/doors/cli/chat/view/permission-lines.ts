import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { PermissionRequest } from "../../../../tasks/ports.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { questionRows } from "../../render/question-text.ts";
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
  const body = questionRows(request, { columns: columns - 4, style, rowsMax: Math.max(1, rowsMax - 3) });
  // What "always" covers: see ruleFor.
  const isCommand = typeof request.input["command"] === "string";
  const more = asked.length > 1 ? ` (${asked.length - 1} more after this)` : "";
  const answers = isTyping
    ? "Empty the prompt (Ctrl+U) to answer"
    : `y allow · n deny · a always allow ${isCommand ? "this command" : tool}`;
  return [
    style.yellow(cutEnd(`? May ${tool} do this?${more}`, columns)),
    ...body.map((line) => `    ${line}`),
    style.dim(cutEnd(`  ${answers}`, columns)),
  ];
}
