import { Marked, type MarkedExtension, type Token } from "marked";
import { markdownLengthMax, markdownMarksMax } from "./limits.ts";

/** How Markdown is read everywhere: a line end in a paragraph is one, as in the clients that agents write for. */
export const markdownOptions: MarkedExtension = { gfm: true, breaks: true };

/** The blocks of a text; undefined when it is too long, or too deep for the parser, so that it is shown as it stands. */
export function parseMarkdown(text: string): Token[] | undefined {
  if (text.length > markdownLengthMax || paragraphsOf(text).some(hasManyMarks)) return undefined;
  try {
    return parser.lexer(text);
  } catch (error) {
    // The parser calls itself for each level of a nested quote or list.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

// The parser compares every mark of a paragraph with every other one.
const hasManyMarks = (paragraph: string): boolean =>
  (paragraph.match(/[*_~[\]`]/g)?.length ?? 0) > markdownMarksMax;

function paragraphsOf(text: string): string[] {
  return text.split(/\n[^\S\n]*\n/);
}

const parser = new Marked(markdownOptions);
