import fs from "node:fs";
import { lineBytesMax } from "../../format/limits.ts";
import { openTranscriptFile } from "../read/open-transcript.ts";
import { LineSkimmer } from "../line/skim-line.ts";

/** Whether an agent id is that of a helper of the client itself (compaction, prompt suggestion, a question asked aside). */
export function isInternalAgent(agentId: string): boolean {
  return internalBeginnings.some((beginning) => agentId.startsWith(beginning));
}

const internalBeginnings = ["acompact-", "aprompt_suggestion-", "aside_question-"];

/** The agent id in the name of a sub-agent transcript, an archived one too; undefined for any other name. */
export function agentIdOfFile(name: string): string | undefined {
  return /^agent-(.+)\.jsonl(?:\.zst)?$/.exec(name)?.[1];
}

/** Mostly enough: the id stands near the beginning. */
const HEAD_BYTES = 1 << 10;
const skimmer = new LineSkimmer();
let head = Buffer.allocUnsafeSlow(HEAD_BYTES);

/** The session id in the first line of a sub-agent transcript; reads no more than it needs to find it. */
export function sessionOfAgentFile(file: string): string | undefined {
  return inFirstLine(file, "sessionId");
}

/** The uuid of the first line of a transcript, which a copy of it keeps. */
export function firstUuidOf(file: string): string | undefined {
  return inFirstLine(file, "uuid");
}

function inFirstLine(file: string, key: "sessionId" | "uuid"): string | undefined {
  let fd: number;
  try {
    fd = openTranscriptFile(file);
  } catch {
    return undefined;
  }
  try {
    for (let length = HEAD_BYTES; length <= lineBytesMax; length *= 16) {
      if (head.length < length) head = Buffer.allocUnsafeSlow(length);
      const got = fs.readSync(fd, head, 0, length, 0);
      const bytes = head.subarray(0, got);
      const newline = bytes.indexOf(10);
      const line = newline < 0 ? bytes : bytes.subarray(0, newline);
      // Of a line that is cut here, what was skimmed before the cut is known all the same.
      skimmer.skim(line, 0, line.length);
      const { start, end } = skimmer[key];
      if (start >= 0) return head.toString("latin1", start, end);
      if (newline >= 0 || got < length) return undefined;
    }
    return undefined;
  } finally {
    fs.closeSync(fd);
  }
}
