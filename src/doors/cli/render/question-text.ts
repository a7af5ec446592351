import { questionLines, type AskedTool, type QuestionLine } from "../../../conversation/question-lines.ts";
import { terminalText } from "../../../lib/terminal-text.ts";
import type { Style } from "./style.ts";

/** What a tool would do, as lines that are safe for a terminal. */
export function questionText(asked: AskedTool, style: Style): string[] {
  return questionLines(asked).map((line) => paintOf(line, style)(terminalText(line.text)));
}

export function paintOf({ kind }: QuestionLine, style: Style): (text: string) => string {
  switch (kind) {
    case "added":
      return style.green;
    case "removed":
      return style.red;
    case "file":
      return style.bold;
    case "note":
      return style.dim;
    case "command":
    case "content":
    case "context":
    case "argument":
      return (text) => text;
  }
}
