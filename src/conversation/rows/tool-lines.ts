import { isJsonObject } from "../../format/json-object.ts";
import { beginningOf } from "../../lib/whole-characters.ts";
import type { ToolItem } from "../conversation-item.ts";
import { questionLines, type QuestionLine } from "../question-lines.ts";
import { rowInputLengthMax, rowToolLineLengthMax, rowToolLinesMax } from "./limits.ts";

/** What a tool was given, line by line, as much as a page shows. The entry has all of it. */
export function toolLines(
  { input, detail }: ToolItem,
  toolUseId: string,
): { lines: QuestionLine[]; isCut: boolean } {
  let isCut = false;
  const cut = (text: string, lengthMax: number): string => {
    if (text.length > lengthMax) isCut = true;
    return beginningOf(text, lengthMax);
  };
  const shortened = isJsonObject(input)
    ? (cutTexts(input, (text) => cut(text, rowInputLengthMax)) as Record<string, unknown>)
    : { input };
  const lines = questionLines({ toolUseId, input: shortened, title: cut(detail, rowToolLineLengthMax) });
  if (lines.length > rowToolLinesMax) isCut = true;
  const shown = lines
    .slice(0, rowToolLinesMax)
    .map(({ kind, text }) => ({ kind, text: cut(text, rowToolLineLengthMax) }));
  return { lines: shown, isCut };
}

// Two long texts would be compared for as long as it takes.
function cutTexts(value: unknown, cut: (text: string) => string): unknown {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) return value.map((inner) => cutTexts(inner, cut));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, cut)]));
}
