import { structuredPatch } from "diff";
import { jsonText } from "../lib/json-text.ts";
import { spelledLine } from "../lib/terminal-text.ts";

/** One line of what a tool would do, for whoever is asked whether it may. Its text is safe on a terminal, and hides nothing. */
export interface QuestionLine {
  kind: "command" | "file" | "content" | "added" | "removed" | "context" | "argument" | "note";
  text: string;
}

export interface AskedTool {
  toolUseId: string;
  input?: Readonly<Record<string, unknown>> | undefined;
  isInputCut?: boolean | undefined;
  title: string;
  said?: string | undefined;
}

/**
 * Everything that a tool was given: of a command its text, of an edit the difference, of a file its content, of anything
 * else its arguments. Goes by what the input holds, because every agent has names of its own; no argument is left out.
 */
export function questionLines(asked: AskedTool): QuestionLine[] {
  return rawLines(asked).map(({ kind, text }) => ({ kind, text: spelledLine(text) }));
}

function rawLines({ said, ...asked }: AskedTool): QuestionLine[] {
  if (said === undefined) return inputLines(asked);
  return [...inputLines(asked), ...lines("note", `The agent says: ${said}`)];
}

function inputLines({ input, isInputCut, toolUseId, title }: Omit<AskedTool, "said">): QuestionLine[] {
  if (!input || Object.keys(input).length === 0) return lines("note", title);
  const { command, file_path, old_string, new_string, content, edits, ...rest } = input;
  const shown: QuestionLine[] = [];
  if (typeof command === "string") shown.push(...lines("command", command));
  else if (command !== undefined) shown.push(...argument("command", command));
  if (file_path !== undefined) shown.push(...lines("file", textOf(file_path)));
  if (typeof old_string === "string" && typeof new_string === "string")
    shown.push(...difference(old_string, new_string));
  else shown.push(...given({ old_string, new_string }));
  if (typeof content === "string") shown.push(...lines("content", content));
  else shown.push(...given({ content }));
  shown.push(...editLines(edits), ...given(rest));
  if (isInputCut)
    shown.push({ kind: "note", text: `… cut: all of it is in the transcript, tool use ${toolUseId}` });
  return shown;
}

/** Milliseconds for one difference: beyond, two long texts are shown one after the other. */
const DIFFERENCE_MS = 100;

function difference(before: string, after: string): QuestionLine[] {
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, timeout: DIFFERENCE_MS });
  if (!patch) return [...signed("-", before), ...signed("+", after)];
  return patch.hunks.flatMap((hunk) =>
    hunk.lines.filter((line) => !line.startsWith("\\")).map((text) => ({ kind: kindOf(text), text })),
  );
}

function signed(sign: "-" | "+", text: string): QuestionLine[] {
  return text.split("\n").map((line) => ({ kind: kindOf(sign), text: sign + line }));
}

function kindOf(line: string): "added" | "removed" | "context" {
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "context";
}

function editLines(edits: unknown): QuestionLine[] {
  if (!Array.isArray(edits)) return given({ edits });
  return edits.flatMap((edit: unknown): QuestionLine[] => {
    const { old_string, new_string, ...rest } = (edit ?? {}) as Record<string, unknown>;
    if (typeof old_string !== "string" || typeof new_string !== "string") return argument("edit", edit);
    return [...difference(old_string, new_string), ...given(rest)];
  });
}

function given(values: Record<string, unknown>): QuestionLine[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : argument(key, value)));
}

function argument(key: string, value: unknown): QuestionLine[] {
  const [first = "", ...more] = textOf(value).split("\n");
  return [
    { kind: "argument", text: `${key}: ${first}` },
    ...more.map((text) => ({ kind: "argument" as const, text: `  ${text}` })),
  ];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value, 2);
}

function lines(kind: QuestionLine["kind"], text: string): QuestionLine[] {
  return text.split("\n").map((line) => ({ kind, text: line }));
}
