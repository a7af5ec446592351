import type { Readable } from "node:stream";
import { agentLineBytesMax } from "./limits.ts";
import { isJsonObject } from "../../format/json-object.ts";

export type JsonLine =
  | { kind: "object"; value: Record<string, unknown> }
  /** Not a JSON object: a banner, a warning, a broken line. Its beginning, for who looks for the reason. */
  | { kind: "garbage"; text: string }
  | { kind: "oversized"; bytes: number };

const NEWLINE = 10;
const GARBAGE_LENGTH = 200;

/** Reads JSON objects, one a line, at the pace of the caller. Broken lines are told, never thrown. */
export async function* readJsonLines(stream: Readable): AsyncGenerator<JsonLine, void> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  const takeLine = (): JsonLine | undefined => {
    const line =
      bytes > agentLineBytesMax ? ({ kind: "oversized", bytes } as const) : parseLine(Buffer.concat(pieces));
    pieces = [];
    bytes = 0;
    return line;
  };
  const add = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes <= agentLineBytesMax) pieces.push(piece);
    else pieces = [];
  };
  for await (const chunk of untilClosed(stream)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      const line = takeLine();
      if (line) yield line;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  const last = takeLine();
  if (last) yield last;
}

// A pipe that was closed early, because a stranger still held it, has ended all the same.
async function* untilClosed(stream: Readable): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    if (!stream.destroyed) throw error;
  }
}

function parseLine(bytes: Buffer): JsonLine | undefined {
  const text = bytes.toString("utf8").trim();
  if (text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return { kind: "object", value };
  } catch {
    // Told as what it is.
  }
  return { kind: "garbage", text: text.slice(0, GARBAGE_LENGTH) };
}
