import { createRequire } from "node:module";

// Loaded when the first wide or odd character comes up: the tables it brings cost as much as starting Node.
const load = createRequire(import.meta.url);
let measure: ((text: string) => number) | undefined;

// ASCII, Latin letters, and the dashes, dots, arrows, boxes and marks that we print ourselves: one cell each.
const narrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u21ff\u23bf\u2500-\u25cf\u2713\u2717\u276f]*$/;

/** How many cells of a terminal the text takes. Expects text without escapes. */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  measure ??= (load("string-width") as { default: (text: string) => number }).default;
  return measure(text);
}

/** The same of many texts. One look at all of them together mostly settles it; a look at each takes several times as long. */
export function displayWidths(texts: readonly string[]): number[] {
  return texts.map(narrow.test(texts.join("")) ? (text) => text.length : displayWidth);
}

/** The pieces that a terminal shows as one: letters with their marks, joined emoji. */
export function* graphemes(text: string): Generator<string> {
  if (narrow.test(text)) yield* text;
  else for (const { segment } of (segmenter ??= new Intl.Segmenter()).segment(text)) yield segment;
}

let segmenter: Intl.Segmenter | undefined;
