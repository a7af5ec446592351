import { terminalLine, terminalText } from "../../../../lib/terminal-text.ts";
import type { PermissionRequest } from "../../../../tasks/ports.ts";
import { questionLines, type QuestionLine } from "../../../../conversation/question-lines.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { plural } from "../../../../lib/quantities.ts";
import { paintOf } from "../../render/question-text.ts";
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
  const room = Math.max(1, rowsMax - 3);
  const width = Math.max(10, columns - 4);
  const whole = linesOf(request);
  const body = whole
    .slice(0, room + 1)
    .flatMap((line) =>
      wrapText(terminalText(line.text), width).map((text) => paintOf(line, style)(cutEnd(text, columns - 4))),
    );
  const left = whole.length - room - 1;
  const count = body.length + Math.max(0, left);
  // Where it does not fit, the person who answers must see that there is more.
  const cut =
    count > room ? [...body.slice(0, room - 1), `… ${plural(count - room + 1, "more line")}`] : body;
  // What "always" covers: see ruleFor.
  const isCommand = typeof request.input["command"] === "string";
  const more = asked.length > 1 ? ` (${asked.length - 1} more after this)` : "";
  const answers = isTyping
    ? "Empty the prompt (Ctrl+U) to answer"
    : `y allow · n deny · a always allow ${isCommand ? "this command" : tool}`;
  return [
    style.yellow(cutEnd(`? May ${tool} do this?${more}`, columns)),
    ...cut.map((line) => `    ${line}`),
    style.dim(cutEnd(`  ${answers}`, columns)),
  ];
}

// The screen is drawn many times while a question stands there.
const known = new WeakMap<PermissionRequest, QuestionLine[]>();

function linesOf(request: PermissionRequest): QuestionLine[] {
  const lines = known.get(request) ?? questionLines(request);
  known.set(request, lines);
  return lines;
}
