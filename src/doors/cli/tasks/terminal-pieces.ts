import { terminalText } from "../../../lib/terminal-text.ts";

/** A sequence longer than this is shown as text rather than waited for. */
const HELD_LENGTH_MAX = 4096;

// A carriage return may get its newline, an escape its rest, with the next piece: CSI, then the strings (OSC, DCS and
// their like), then a bare ESC; each also in its one-byte form.
const unfinished =
  /(?:\r|(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*\x1b?|\x1b[ -/]*)$/;

/** A stream as text that is safe on a terminal. What a piece cuts in two is held back until its rest comes. */
export async function* terminalPieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  for await (const bytes of stream) {
    const text = held + decoder.decode(bytes, { stream: true });
    held = unfinished.exec(text.slice(-HELD_LENGTH_MAX))?.[0] ?? "";
    if (held.length === HELD_LENGTH_MAX) held = "";
    const safe = terminalText(text.slice(0, text.length - held.length));
    if (safe !== "") yield safe;
  }
  const rest = terminalText(held + decoder.decode());
  if (rest !== "") yield rest;
}
