import { terminalText } from "../lib/terminal-text.ts";
import { beginningOf } from "../lib/whole-characters.ts";
import { neutraliseTags } from "./neutralise-tags.ts";
import { oneLine } from "./short-text.ts";

/**
 * Text from elsewhere, as a model may be given it among our own words: nothing that a reader could not see, and nothing
 * that opens or closes a tag. Ids, paths and names are text from elsewhere, too: whoever writes a transcript chooses them.
 */
export function modelText(text: string): string {
  return neutraliseTags(terminalText(text));
}

/** The same in one line of at most so many characters, for a place between quotes, which it cannot close. */
export function modelLine(text: string, lengthMax: number): string {
  const line = oneLine(modelText(text)).replaceAll('"', "'");
  return line.length <= lengthMax ? line : `${beginningOf(line, lengthMax)}…`;
}
