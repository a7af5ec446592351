import fs from "node:fs";
import { isAssistant, textOf } from "../format/entry-kinds.ts";
import { entryOfText } from "../format/line-entry.ts";
import { outputTailBytesMax, resultPreviewLengthMax, transcriptTailBytesMax } from "./limits.ts";
import { terminalText } from "../lib/terminal-text.ts";
import { beginningOf, continuationBytes, endOf } from "../lib/whole-characters.ts";
import { readIfPlain } from "../lib/read-if-plain.ts";

export interface OutputEnd {
  text: string;
  bytes: number;
  writtenAt: string;
}

/** The end of a file, or undefined when it is not there, is no plain file, or may not be read. Never waits. */
export function readOutputEnd(file: string, bytesMax: number = outputTailBytesMax): OutputEnd | undefined {
  return readIfPlain(file, (fd, stat) => {
    const bytes = Buffer.alloc(Math.min(stat.size, bytesMax));
    const got = fs.readSync(fd, bytes, 0, bytes.length, stat.size - bytes.length);
    const start = got < stat.size ? continuationBytes(bytes) : 0;
    return {
      text: bytes.toString("utf8", start, got),
      bytes: stat.size,
      writtenAt: stat.mtime.toISOString(),
    };
  });
}

/** As readOutputEnd, of a transcript: enough of it for the last message. */
export function readTranscriptEnd(file: string): OutputEnd | undefined {
  return readOutputEnd(file, transcriptTailBytesMax);
}

/** The last thing that an agent said. */
export interface LastWord {
  text: string;
  /** The client said it in the agent's place: the API had failed. */
  isError: boolean;
}

/** From the end of a transcript, the beginning of it when it is long. */
export function lastWord(transcriptEnd: string): LastWord | undefined {
  for (const line of transcriptEnd.split("\n").reverse()) {
    if (!line.includes('"assistant"')) continue;
    // The first line of a tail is cut, and so no entry.
    const entry = entryOfText(line);
    const text = entry && isAssistant(entry) ? textOf(entry) : "";
    if (text.trim() !== "")
      return {
        text: preview(text),
        isError: (entry as { isApiErrorMessage?: unknown } | undefined)?.isApiErrorMessage === true,
      };
  }
  return undefined;
}

/** The last text that an agent said, from the end of its transcript. */
export function lastAnswer(transcriptEnd: string): string | undefined {
  return lastWord(transcriptEnd)?.text;
}

/** The first characters of an answer, without what a terminal would obey. */
export function preview(text: string): string {
  const clean = terminalText(text).trim();
  return clean.length <= resultPreviewLengthMax ? clean : `${beginningOf(clean, resultPreviewLengthMax)}…`;
}

/** The last lines of a command's output, as many as fit. */
export function lastLines(text: string): string | undefined {
  const clean = terminalText(text).trimEnd();
  if (clean.trim() === "") return undefined;
  const kept = endOf(clean, resultPreviewLengthMax);
  if (kept.length === clean.length) return kept;
  const from = kept.indexOf("\n");
  return `…${from < 0 || from > kept.length / 2 ? kept : kept.slice(from + 1)}`;
}
