import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../../format/json-object.ts";
import { parseJson } from "../../../lib/read-json.ts";
import type { ModelCall } from "./model-call.ts";

/** What one line of an agent's own session tells: a request to its model, or nothing of one. */
export type CallOfLine = (line: Record<string, unknown>) => ModelCall | undefined;

/** Reads a file that grows line by line: each time what is new. It may not be there yet. */
export function newCallsIn(findFile: () => string | undefined, callOf: CallOfLine): () => ModelCall[] {
  let file: string | undefined;
  let offset = 0;
  return () => {
    file ??= findFile();
    if (file === undefined) return [];
    const bytes = readFrom(file, offset);
    const end = bytes.lastIndexOf("\n") + 1;
    offset += end;
    const lines = bytes.toString("utf8", 0, end).split("\n");
    return lines.flatMap((text) => {
      const line = parseJson(text);
      return isJsonObject(line) ? (callOf(line) ?? []) : [];
    });
  };
}

/** The first file in the folders below, so many levels down, whose name fits. */
export function findBelow(
  folder: string,
  levels: number,
  fits: (name: string) => boolean,
): string | undefined {
  for (const entry of entriesOf(folder)) {
    const at = path.join(folder, entry.name);
    if (levels === 0 && entry.isFile() && fits(entry.name)) return at;
    const found = levels > 0 && entry.isDirectory() ? findBelow(at, levels - 1, fits) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

// The newest first: sessions are looked for while they run.
function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? 1 : -1));
  } catch {
    return [];
  }
}

function readFrom(file: string, offset: number): Buffer {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, "r");
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(descriptor).size - offset));
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, offset));
  } finally {
    fs.closeSync(descriptor);
  }
}
