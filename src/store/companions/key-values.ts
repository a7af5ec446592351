import type { Entry } from "../../format/index.ts";
import { BACKSLASH, QUOTE } from "../../lib/json-bytes.ts";
import { entryOfLine } from "../line/read-line.ts";

/**
 * Collects the different values that a top-level text key (`cwd`, `slug`) takes in a transcript, in the order
 * of first appearance. A line is parsed only when it may hold a new one, so a whole file costs one search.
 */
export class KeyValues {
  readonly values: string[] = [];
  readonly #key: string;
  readonly #marker: Buffer;
  readonly #known = new Set<string>();

  constructor(key: string) {
    this.#key = key;
    this.#marker = Buffer.from(JSON.stringify(key));
  }

  offer(line: Buffer): void {
    for (let at = line.indexOf(this.#marker); at >= 0; at = line.indexOf(this.#marker, at + 1)) {
      const raw = rawTextBehind(line, at + this.#marker.length);
      if (raw !== undefined && !this.#known.has(raw)) this.#take(entryOfLine(line));
    }
  }

  // The key may also stand in something nested; only the entry's own counts and is known from then on.
  #take(entry: Entry | undefined): void {
    const value = (entry as Record<string, unknown> | undefined)?.[this.#key];
    if (typeof value !== "string" || this.values.includes(value)) return;
    this.values.push(value);
    this.#known.add(Buffer.from(JSON.stringify(value)).toString("latin1").slice(1, -1));
  }
}

/** The JSON text that follows a colon, without its quotes and still escaped; undefined if none does. */
function rawTextBehind(line: Buffer, from: number): string | undefined {
  const start = line.indexOf(QUOTE, from);
  if (start < 0 || !/^\s*:\s*$/.test(line.toString("latin1", from, start))) return undefined;
  let end = line.indexOf(QUOTE, start + 1);
  while (end >= 0 && isEscaped(line, end)) end = line.indexOf(QUOTE, end + 1);
  return end < 0 ? undefined : line.toString("latin1", start + 1, end);
}

function isEscaped(line: Buffer, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}
