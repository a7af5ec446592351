import { ansiRuns, plainState, type AnsiState } from "../text/ansi.ts";

export interface OutputLine {
  text: string;
  /** The byte of the stream at which it begins. */
  at: number;
  /** The colours with which it begins. */
  state: AnsiState;
}

export interface OutputPiece {
  from: number;
  to: number;
  text: string;
}

/** What is kept of an output of any size: further away than this is let go, and read again when it is wanted. */
export const keptLettersMax = 2 * 1024 * 1024;

/**
 * A part of an output without gaps, in lines that have numbers: lines put before it get smaller ones, so that a number stays
 * with its line for as long as that is kept.
 */
export class OutputBuffer {
  lines: OutputLine[] = [];
  origin = 0;
  from = 0;
  to = 0;
  #letters = 0;

  /** Begins anew somewhere else, with other numbers. */
  replace(piece: OutputPiece): void {
    this.origin += this.lines.length + 1;
    this.lines = linesOf(piece, plainState);
    this.#letters = piece.text.length;
    [this.from, this.to] = [piece.from, piece.to];
  }

  /** False when it does not touch what is here. What is here already is left out. */
  append(piece: OutputPiece): boolean {
    if (piece.from > this.to) return false;
    const fresh = piece.from === this.to ? piece : behind(piece, this.to);
    if (!fresh) return true;
    const last = this.lines.pop();
    const joined = { from: last?.at ?? fresh.from, to: fresh.to, text: (last?.text ?? "") + fresh.text };
    this.lines.push(...linesOf(joined, last?.state ?? plainState));
    this.#letters += fresh.text.length;
    this.to = fresh.to;
    while (this.#letters > keptLettersMax && this.lines.length > 1) this.#letters -= this.#dropFirst();
    return true;
  }

  prepend(piece: OutputPiece): boolean {
    if (piece.to !== this.from) return false;
    const first = this.lines.shift();
    const added = linesOf({ ...piece, text: piece.text + (first?.text ?? "") }, plainState);
    this.origin -= added.length - (first ? 1 : 0);
    this.lines = [...added, ...this.lines];
    this.#letters += piece.text.length;
    this.from = piece.from;
    while (this.#letters > keptLettersMax && this.lines.length > 1) {
      const gone = this.lines.pop()!;
      this.#letters -= gone.text.length + 1;
      this.to = gone.at;
    }
    return true;
  }

  lineAt(index: number): OutputLine | undefined {
    return this.lines[index - this.origin];
  }

  /** The number of the line that holds this byte. */
  indexOf(byte: number): number {
    let [low, high] = [0, this.lines.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.lines[middle]!.at <= byte) low = middle;
      else high = middle - 1;
    }
    return low + this.origin;
  }

  #dropFirst(): number {
    const gone = this.lines.shift()!;
    this.origin += 1;
    this.from = this.lines[0]!.at;
    return gone.text.length + 1;
  }
}

function linesOf({ from, text }: OutputPiece, before: AnsiState): OutputLine[] {
  let at = from;
  let state = before;
  return text.split("\n").map((line) => {
    const made: OutputLine = { text: line, at, state };
    at += byteLength(line) + 1;
    if (line.includes("\x1b[")) ({ state } = ansiRuns(line, state));
    return made;
  });
}

// The part of a piece behind a byte.
function behind({ from, to, text }: OutputPiece, byte: number): OutputPiece | undefined {
  if (to <= byte) return undefined;
  const bytes = new TextEncoder().encode(text).slice(byte - from);
  return { from: byte, to, text: new TextDecoder().decode(bytes) };
}

function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // Each half of a pair counts two of its four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
