import { parseJson } from "../lib/read-json.ts";
import type { Entry } from "./entries/entry.ts";

const BYTE_ORDER_MARK = 0xfeff;

/** The text of a line without the byte order mark that an editor or another system may have put before it. */
export function withoutMark(line: string): string {
  return line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line;
}

/** The value that one line of a transcript holds; undefined when it is no JSON. */
export function valueOfLine(line: string): unknown {
  return parseJson(withoutMark(line));
}

/**
 * The entry that one line of a transcript holds; undefined when it holds none. Every reader of lines asks this, so all
 * agree on what an entry is: a JSON object with a `type`, behind a byte order mark or not.
 */
export function entryOfText(line: string): Entry | undefined {
  const value = valueOfLine(line);
  return typeof (value as { type?: unknown } | null | undefined)?.type === "string"
    ? (value as Entry)
    : undefined;
}
