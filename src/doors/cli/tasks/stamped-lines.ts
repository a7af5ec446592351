import { formatMoment } from "../../../lib/quantities.ts";
import { terminalText } from "../../../lib/terminal-text.ts";
import type { OutputPiece } from "../../../tasks/output/follow-output.ts";

const UNKNOWN = "-".repeat("2026-11-30 14:05:09".length);

/**
 * Whole lines, each behind the moment at which it was seen to come. Of the bytes that were there at the beginning nobody
 * knows when that was.
 */
export async function* stampedLines(
  pieces: AsyncIterable<OutputPiece>,
  { bytesBefore }: { bytesBefore: number },
): AsyncGenerator<string> {
  let held = "";
  let stamp = UNKNOWN;
  for await (const { text, offset } of pieces) {
    if (offset > bytesBefore) stamp = stampOf(new Date());
    const lines = (held + text).split("\n");
    held = lines.pop() ?? "";
    yield lines.map((line) => `${stamp}  ${terminalText(line)}\n`).join("");
  }
  if (held !== "") yield `${stamp}  ${terminalText(held)}\n`;
}

function stampOf(date: Date): string {
  return `${formatMoment(date.toISOString())}:${String(date.getSeconds()).padStart(2, "0")}`;
}
