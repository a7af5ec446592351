import { displayWidth, graphemes } from "./display-width.ts";

/** A piece of a line and how it is set off. */
export interface Span {
  text: string;
  paint?: ((text: string) => string) | undefined;
}

/**
 * The spans as lines of at most `width` cells, broken between words, a word only where it alone is too long. A newline
 * breaks, too. Expects text without escapes.
 */
export function wrapSpans(spans: readonly Span[], width: number): Span[][] {
  const lines: Span[][] = [];
  let line: Span[] = [];
  let used = 0;
  const breakLine = (): void => {
    lines.push(withoutEnd(line));
    line = [];
    used = 0;
  };
  const add = (span: Span): void => {
    line.push(span);
    used += displayWidth(span.text);
  };
  for (const word of wordsOf(spans)) {
    const [{ text }] = word;
    const isSpace = text.trim() === "";
    if (text === "\n") breakLine();
    else if (used + widthOf(word) <= width) word.forEach(add);
    else if (isSpace) breakLine();
    else {
      if (line.some((span) => span.text.trim() !== "")) breakLine();
      for (const { text: part, paint } of word) {
        for (const piece of widthOf(word) <= width ? [part] : graphemes(part)) {
          if (used + displayWidth(piece) > width && used > 0) breakLine();
          add({ text: piece, paint });
        }
      }
    }
  }
  if (line.length > 0 || lines.length === 0) breakLine();
  return lines;
}

export function widthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** The spans as text. Neighbours that are set off alike are painted together. */
export function paintSpans(spans: readonly Span[]): string {
  let painted = "";
  for (let at = 0; at < spans.length;) {
    const { paint } = spans[at]!;
    let text = "";
    while (at < spans.length && spans[at]!.paint === paint) text += spans[at++]!.text;
    painted += paint ? paint(text) : text;
  }
  return painted;
}

type Word = [Span, ...Span[]];

// White space, newlines one by one, and what stands between them. A word may go on in the next span: `**bold**ly`.
function* wordsOf(spans: readonly Span[]): Generator<Word> {
  let word: Span[] = [];
  for (const { text, paint } of spans) {
    for (const part of text.match(/\n|[^\S\n]+|\S+/g) ?? []) {
      const isWord = part.trim() !== "";
      if (!isWord && word.length > 0) {
        yield word as Word;
        word = [];
      }
      if (isWord) word.push({ text: part, paint });
      else yield [{ text: part, paint }];
    }
  }
  if (word.length > 0) yield word as Word;
}

function withoutEnd(line: readonly Span[]): Span[] {
  const last = line.findLastIndex(({ text }) => text.trim() !== "");
  return line.slice(0, last + 1);
}
