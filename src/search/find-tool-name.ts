import { lineBytesMax } from "../format/limits.ts";
import { toolLookBackBytesMax } from "./limits.ts";
import { findLineStart, readBytes } from "../lib/line-scanner.ts";
import { valueOfLine } from "../format/line-entry.ts";
import { documentOf } from "./entry-document.ts";

const WINDOW_BYTES = 1 << 20;

/** The name of the tool that was called with this id before `at`: looked for backwards, as far as a call may be back. */
export function findToolName(fd: number, id: string, at: number): string | undefined {
  const needle = Buffer.from(`"id":${JSON.stringify(id)}`);
  const first = Math.max(0, at - toolLookBackBytesMax);
  for (let end = at; end > first; end -= WINDOW_BYTES) {
    const from = Math.max(first, end - WINDOW_BYTES);
    // A little more than the window, so that an id across its end is seen.
    const bytes = readBytes(fd, { offset: from, length: Math.min(at, end + needle.length) - from });
    const found = bytes.lastIndexOf(needle);
    if (found >= 0) return nameInLine(fd, id, from + found);
  }
  return undefined;
}

function nameInLine(fd: number, id: string, at: number): string | undefined {
  const start = findLineStart(fd, at);
  for (let length = WINDOW_BYTES; length <= lineBytesMax; length *= 8) {
    const bytes = readBytes(fd, { offset: start, length });
    const newline = bytes.indexOf(10);
    if (newline < 0 && bytes.length === length) continue;
    const line = valueOfLine(bytes.toString("utf8", 0, newline < 0 ? bytes.length : newline));
    return documentOf(line)?.tools.find((tool) => tool.id === id)?.name;
  }
  return undefined;
}
