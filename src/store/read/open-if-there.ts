import { codeOf } from "../../lib/errors.ts";
import { openTranscriptFile } from "./open-transcript.ts";

/** Opens a transcript to read; undefined when it is gone by now, damaged in the archive, or not ours to read. */
export function openIfThere(file: string): number | undefined {
  try {
    return openTranscriptFile(file);
  } catch (error) {
    if (expected.has(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

const expected: ReadonlySet<string> = new Set(["session_not_found", "not_a_transcript", "archive_damaged"]);
