import fs from "node:fs";
import { LineSkimmer } from "./skim-line.ts";

/** Whether an agent id is that of a helper of the client itself (compaction, prompt suggestion). */
export function isInternalAgent(agentId: string): boolean {
  return agentId.startsWith("acompact-") || agentId.startsWith("aprompt_suggestion-");
}

/** The agent id in the name of a sub-agent transcript; undefined for any other name. */
export function agentIdOfFile(name: string): string | undefined {
  return /^agent-(.+)\.jsonl$/.exec(name)?.[1];
}

const AGENT_HEAD_BYTES = 1 << 16;

/** The session id in the first line of a sub-agent transcript. */
export function sessionOfAgentFile(file: string): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, "r");
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(AGENT_HEAD_BYTES);
    const got = fs.readSync(fd, bytes, 0, bytes.length, 0);
    const newline = bytes.subarray(0, got).indexOf(10);
    const end = newline < 0 ? got : newline;
    const skimmer = new LineSkimmer();
    // A first line longer than the window is cut; its envelope comes first, so the id was seen all the same.
    skimmer.skim(bytes, 0, end);
    const { start, end: idEnd } = skimmer.sessionId;
    return start < 0 ? undefined : bytes.toString("latin1", start, idEnd);
  } finally {
    fs.closeSync(fd);
  }
}
