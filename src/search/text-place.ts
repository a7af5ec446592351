import { textDepth, textNames } from "./entry-document.ts";
import { isWordByte } from "./word-bytes.ts";

/**
 * Whether a place in a line of JSON may be in text that is searched. It cannot be in a name ("sessionId"), in a number,
 * true, false or null, or in a string of the envelope ("cwd", "model"): a line need not be parsed for a word there.
 *
 * This rests on two facts about JSON. A line that is no JSON holds no searched text.
 * - No letter stands directly before a string. So a quote behind a letter ends one; an escaped quote is behind a backslash.
 * - A string with a colon behind it is a name, and a quote behind that colon begins its value.
 */
export function mayBeText(bytes: Buffer, at: number, line: { start: number; end: number }): boolean {
  if (isInName(bytes, at)) return false;
  const quote = quoteBefore(bytes, at, line.start);
  if (quote === undefined) return true;
  const isOutside = isNameByte(bytes[quote - 1]!);
  if (isOutside) return false;
  const name = bytes[quote - 1] === COLON ? nameBefore(bytes, quote - 1) : undefined;
  return name === undefined || textNames.has(name) || !isShallow(bytes, at, line);
}

const QUOTE = 0x22;
const COLON = 0x3a;
const UNDERSCORE = 0x5f;
const OPENING = [0x5b, 0x7b] as const;
const CLOSING = [0x5d, 0x7d] as const;
// Envelopes are shorter. A longer look would cost more than parsing a line spares.
const LOOK_BYTES = 2048;

function quoteBefore(bytes: Buffer, at: number, lineStart: number): number | undefined {
  const first = Math.max(lineStart, at - LOOK_BYTES);
  for (let quote = at - 1; quote >= first; quote--) if (bytes[quote] === QUOTE) return quote;
  return undefined;
}

function isInName(bytes: Buffer, at: number): boolean {
  let end = at;
  while (isNameByte(bytes[end]!)) end++;
  return bytes[end] === QUOTE && bytes[end + 1] === COLON;
}

/** The name that ends before the colon; undefined if it is not of letters, digits and _ alone. */
function nameBefore(bytes: Buffer, colon: number): string | undefined {
  const end = colon - 1;
  let start = end;
  while (isNameByte(bytes[start - 1]!)) start--;
  const isName = bytes[end] === QUOTE && start < end && bytes[start - 1] === QUOTE;
  return isName ? bytes.toString("latin1", start, end) : undefined;
}

function isNameByte(byte: number): boolean {
  return isWordByte(byte) || byte === UNDERSCORE;
}

// A place is no deeper than there are opening brackets before it or closing ones behind it, those in strings included.
function isShallow(bytes: Buffer, at: number, { start, end }: { start: number; end: number }): boolean {
  return (
    (at - start <= LOOK_BYTES && hasFew(bytes, OPENING, { from: start, to: at })) ||
    (end - at <= LOOK_BYTES && hasFew(bytes, CLOSING, { from: at, to: end }))
  );
}

function hasFew(
  bytes: Buffer,
  [square, curly]: readonly [number, number],
  { from, to }: { from: number; to: number },
): boolean {
  let count = 0;
  for (let at = from; at < to && count <= textDepth; at++)
    if (bytes[at] === square || bytes[at] === curly) count++;
  return count <= textDepth;
}
