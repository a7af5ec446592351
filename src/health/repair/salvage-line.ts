import { salvageAttemptsMax } from "./limits.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../../lib/json-bytes.ts";
import { entryOfLine } from "../../store/line/read-line.ts";

/**
 * The whole entries inside a damaged line, in order: of glued lines all, of one that was torn and written on by somebody
 * else the later one, between zero bytes whatever is whole. What is part of a torn entry is never taken for an entry.
 */
export function salvageLine(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  // Whether an entry may begin here: at the start of the line, or behind a whole one.
  let isBetween = true;
  for (let attempt = 0; attempt < salvageAttemptsMax; attempt++) {
    const start = bytes.indexOf('{"', at);
    if (start < 0) break;
    const end = objectEnd(bytes, start);
    const piece = end < 0 ? undefined : withoutNul(bytes.subarray(start, end));
    const mayBegin = isBetween && isFiller(bytes, at, start);
    if (piece && isEntry(piece, { mayBegin })) {
      found.push(piece);
      at = end;
      isBetween = true;
    } else {
      at = start + 2;
      isBetween = false;
    }
  }
  return found;
}

const NUL = 0;

/** Behind the object that begins at `start`; -1 when it does not end. */
function objectEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  let isText = false;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (isText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return i + 1;
  }
  return -1;
}

// Zero bytes stand where the file system lost what was written; without them the rest may still be an entry.
function withoutNul(piece: Buffer): Buffer {
  return piece.includes(NUL) ? Buffer.from(piece.filter((byte) => byte !== NUL)) : Buffer.from(piece);
}

function isFiller(bytes: Buffer, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (bytes[i] !== NUL && bytes[i]! > 0x20) return false;
  return true;
}

// In the middle of something torn only what cannot be a part of it counts: blocks and messages of sub-agents inside an
// entry have a type, too, but never both a parent and a session.
function isEntry(piece: Buffer, { mayBegin }: { mayBegin: boolean }): boolean {
  const entry = entryOfLine(piece);
  if (!entry) return false;
  if (mayBegin) return true;
  const { uuid, sessionId } = entry as { uuid?: unknown; sessionId?: unknown };
  return typeof uuid === "string" && "parentUuid" in entry && typeof sessionId === "string";
}
