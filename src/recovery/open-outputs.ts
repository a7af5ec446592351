import fs from "node:fs";
import { scannedProcessesMax } from "./limits.ts";
import { lookAtProcesses } from "../lib/process-table.ts";

/** Who has which task output open, and which processes a client left behind. */
export interface OpenOutputs {
  /** Processes that hold a file open, by its real path. */
  holders(file: string): number[];
  /** Processes that this client's process started and that hold no task's output (they sent theirs elsewhere). */
  strays(client: { pid: number; sessionId: string }): number[];
  /** Every output that somebody holds, with its holders. */
  readonly all: ReadonlyMap<string, readonly number[]>;
  /** False where the system does not tell: then that nobody is found means nothing. */
  readonly canLook: boolean;
}

/** Looks once at the open files of every process of this user. Takes some milliseconds for a hundred processes. */
export function scanOpenOutputs(): OpenOutputs {
  const all = new Map<string, number[]>();
  const holding = new Set<number>();
  const table = lookAtProcesses();
  const pids = table
    .pids()
    .slice(0, scannedProcessesMax)
    .filter((pid) => pid !== process.pid);
  for (const pid of pids) {
    // One that only reads along does not run the command. A file may be open several times.
    for (const file of new Set(table.writableFiles(pid, ".output"))) {
      holding.add(pid);
      all.set(file, [...(all.get(file) ?? []), pid]);
    }
  }
  return {
    all,
    canLook: pids.length > 0,
    holders: (file) => all.get(realPath(file)) ?? [],
    strays: ({ pid: client, sessionId }) =>
      pids.filter((pid) => !holding.has(pid) && isChildOf(table.environment(pid), { client, sessionId })),
  };
}

// The client marks whatever it starts with its own pid and session.
function isChildOf(
  environment: string,
  { client, sessionId }: { client: number; sessionId: string },
): boolean {
  return (
    environment.includes(`\0CLAUDE_PID=${client}\0`) &&
    environment.includes(`\0CLAUDE_CODE_SESSION_ID=${sessionId}\0`)
  );
}

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}
