import fs from "node:fs";
import { codeOf } from "../../lib/errors.ts";
import { evidenceBytesMax } from "../limits.ts";

/** Where a text that was told shows up when it has arrived: a transcript, from the byte at which it ended before. */
export interface Evidence {
  transcript: string;
  from: number;
  text: string;
}

export function evidenceOf(transcript: string, text: string): Evidence {
  const { size: from = 0 } = fs.statSync(transcript, { throwIfNoEntry: false }) ?? {};
  return { transcript, from, text };
}

/**
 * `arrived`: the transcript has the text. `passed`: it has an answer that was given after this moment, and not the text, so
 * the text never came. Undefined when it shows neither.
 */
export function lookForText(
  { transcript, from, text }: Evidence,
  after: string,
): "arrived" | "passed" | undefined {
  const grown = readFrom(transcript, from);
  if (grown.includes(text)) return "arrived";
  const isAnswer = (line: string): boolean =>
    line.includes('"type":"assistant"') && (/"timestamp":"([^"]*)"/.exec(line)?.[1] ?? "") > after;
  return grown.toString("utf8").split("\n").some(isAnswer) ? "passed" : undefined;
}

// A transcript that has become shorter was written anew, so all of it counts.
function readFrom(file: string, from: number): Buffer {
  try {
    const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const { size } = fs.fstatSync(fd);
      const start = size < from ? 0 : from;
      const bytes = Buffer.alloc(Math.min(size - start, evidenceBytesMax));
      return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, start));
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES", "EISDIR"].includes(codeOf(error) ?? "")) return Buffer.alloc(0);
    throw error;
  }
}
