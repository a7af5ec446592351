import { parseJson } from "../lib/read-json.ts";
import type { Entry } from "./entries/entry.ts";

const BYTE_ORDER_MARK = 0xfeff;

/**
 * The entry that one line of a transcript holds; undefined when it holds none. Every reader of lines asks this, so all
 * agree on what an entry is: a JSON object with a `type`, behind a byte order mark or not.
 */
export function entryOfText(line: string): Entry | undefined {
  const value = parseJson(line.charCodeAt(0) === BYTE_ORDER_MARK ? line.slice(1) : line);
  return typeof (value as { type?: unknown } | null | undefined)?.type === "string"
    ? (value as Entry)
    : undefined;
}
