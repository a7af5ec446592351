import type { Style } from "../render/style.ts";
import { isPlain } from "../render/style.ts";
import { paintSpans, type Span } from "../render/wrap-spans.ts";
import type { CodeWord } from "../../../conversation/highlight.ts";

/** Code longer than this is shown without colours, which take longer than to read it. */
const HIGHLIGHTED_LENGTH_MAX = 100_000;

let highlight: ((code: string, language: string) => CodeWord[] | undefined) | undefined;

/** Loads what finds the words of code, for a screen with colours: it takes as long as all else. Without it code is plain. */
export async function loadHighlighter({ style }: { style: Style }): Promise<void> {
  if (!isPlain(style)) ({ highlight } = await import("../../../conversation/highlight.ts"));
}

/** Code line by line, coloured by its language where that is known: a name of one, or the end of a file's name. */
export function codeLines(
  text: string,
  { lang, style }: { lang: string | undefined; style: Style },
): string[] {
  const name = /^[\w+#.-]+/.exec(lang ?? "")?.[0].toLowerCase();
  if (name === undefined || isPlain(style) || text.length > HIGHLIGHTED_LENGTH_MAX) return text.split("\n");
  const words = highlight?.(text, name);
  if (!words) return text.split("\n");
  return linesOf(words, style).map(paintSpans);
}

function linesOf(words: Iterable<CodeWord>, style: Style): Span[][] {
  const lines: Span[][] = [[]];
  for (const { text, kind } of words) {
    const paint = paintOf(kind, style);
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push({ text: part, paint });
    }
  }
  return lines;
}

// Only the colours that terminals let people choose, and none that is hard to read on a light or on a dark ground.
const paints: Readonly<Record<string, keyof Style>> = {
  keyword: "magenta",
  "selector-tag": "magenta",
  "meta keyword": "magenta",
  literal: "yellow",
  number: "yellow",
  symbol: "yellow",
  variable: "yellow",
  string: "green",
  regexp: "green",
  addition: "green",
  deletion: "red",
  comment: "dim",
  quote: "dim",
  meta: "dim",
  title: "cyan",
  name: "cyan",
  built_in: "cyan",
  type: "cyan",
  attr: "cyan",
  attribute: "cyan",
  section: "bold",
};

function paintOf(kind: string | undefined, style: Style): Span["paint"] {
  const paint = kind === undefined ? undefined : paints[kind];
  return paint && style[paint];
}
