import type { EndLine, LaunchLine, SeenLine } from "../../src/recovery/manifest-line.ts";
import { currentProcess, type ProcessIdentity } from "../../src/lib/process-identity.ts";

/** Lines of a manifest, with what a test does not care about filled in. */
export function launchLine(given: Partial<LaunchLine> = {}): LaunchLine {
  return {
    timestamp: new Date().toISOString(),
    agent_id: "b00000001",
    subagent_type: "shell",
    description: "Two lines",
    prompt_preview: "echo one",
    output_file: "",
    session_id: "s-1",
    cwd: "/project",
    status: "launched",
    kind: "local_bash",
    fingerprint: "0123456789abcdef",
    source: "hook",
    client: currentProcess(),
    ...given,
  };
}

export function endLine(given: Partial<EndLine> = {}): EndLine {
  const { timestamp, agent_id, session_id, cwd } = launchLine();
  return { timestamp, agent_id, session_id, cwd, status: "completed", source: "hook", ...given };
}

export function seenLine(given: Partial<SeenLine> = {}): SeenLine {
  return { ...endLine(), ...given, status: "seen" };
}

/** A process that is gone: the pid is nobody's with that start time. */
export const deadProcess: ProcessIdentity = { ...currentProcess(), startTime: "1" };
