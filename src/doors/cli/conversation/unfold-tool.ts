import path from "node:path";
import type { ToolItem } from "../../../conversation/conversation-item.ts";
import { questionLines, type QuestionLine } from "../../../conversation/question-lines.ts";
import { isJsonObject } from "../../../format/json-object.ts";
import { terminalText } from "../../../lib/terminal-text.ts";
import { paintOf } from "../render/question-text.ts";
import type { Page, Style } from "../render/style.ts";
import { codeLines } from "./code-lines.ts";
import { unfolded } from "./unfolded.ts";

/** Everything that a tool was given and gave back, for below its folded line: commands and files coloured, edits as differences. */
export function unfoldTool(tool: ToolItem, { columns, style }: Page): string[] {
  const { result } = tool;
  const images = Array.from({ length: result?.images ?? 0 }, () => "[image]");
  return [
    ...inputLines(tool, style).map((line) => `    ${line}`.trimEnd()),
    ...unfolded([result?.text ?? "", ...images].filter(Boolean).join("\n"), { columns, style }),
  ];
}

function inputLines({ name, detail, input, isPath }: ToolItem, style: Style): string[] {
  if (!isJsonObject(input)) return [];
  // Whose name is in the folded line already.
  const given = questionLines({ toolUseId: "", title: name ?? "", input }).filter(
    ({ kind, text }) => !(kind === "file" && isPath) && text !== detail,
  );
  const file = typeof input["file_path"] === "string" ? input["file_path"] : "";
  return runsOf(given).flatMap(({ kind, text }) => {
    const safe = terminalText(text);
    if (kind === "command") return codeLines(safe, { lang: "bash", style });
    if (kind === "content") return codeLines(safe.trimEnd(), { lang: path.extname(file).slice(1), style });
    return safe.split("\n").map(paintOf({ kind, text }, style));
  });
}

// Lines of one kind together: a comment or a text may go on over several of them.
function runsOf(lines: readonly QuestionLine[]): QuestionLine[] {
  const runs: QuestionLine[] = [];
  for (const { kind, text } of lines) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.text += `\n${text}`;
    else runs.push({ kind, text });
  }
  return runs;
}
