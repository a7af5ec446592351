import fs from "node:fs";
import path from "node:path";
import { scannedProcessesMax } from "../format/limits.ts";

/** Who has which task output open, and which processes a client left behind. Empty where there is no /proc. */
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
  const pids = listPids();
  for (const pid of pids) {
    for (const file of outputsOf(pid)) {
      holding.add(pid);
      all.set(file, [...(all.get(file) ?? []), pid]);
    }
  }
  return {
    all,
    canLook: pids.length > 0,
    holders: (file) => all.get(realPath(file)) ?? [],
    strays: ({ pid: client, sessionId }) =>
      pids.filter((pid) => !holding.has(pid) && isChildOf(pid, { client, sessionId })),
  };
}

const DELETED = " (deleted)";

/** The outputs that a process may write to; one that only reads along does not run the command. */
function outputsOf(pid: number): Set<string> {
  const found = new Set<string>();
  const dir = `/proc/${pid}/fd`;
  let names: string[];
  try {
    names = fs.readdirSync(dir);
  } catch {
    return found;
  }
  for (const name of names) {
    try {
      const target = fs.readlinkSync(path.join(dir, name));
      const file = target.endsWith(DELETED) ? target.slice(0, -DELETED.length) : target;
      if (file.endsWith(".output") && mayWrite(pid, name)) found.add(file);
    } catch {
      /* closed meanwhile */
    }
  }
  return found;
}

const ACCESS_MODE = 0o3;

function mayWrite(pid: number, fd: string): boolean {
  const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/${pid}/fdinfo/${fd}`, "latin1"))?.[1];
  return flags === undefined || (Number.parseInt(flags, 8) & ACCESS_MODE) !== fs.constants.O_RDONLY;
}

// The client marks whatever it starts with its own pid and session.
function isChildOf(pid: number, { client, sessionId }: { client: number; sessionId: string }): boolean {
  try {
    const environ = `\0${fs.readFileSync(`/proc/${pid}/environ`, "latin1")}`;
    return (
      environ.includes(`\0CLAUDE_PID=${client}\0`) &&
      environ.includes(`\0CLAUDE_CODE_SESSION_ID=${sessionId}\0`)
    );
  } catch {
    return false;
  }
}

function listPids(): number[] {
  try {
    return fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .slice(0, scannedProcessesMax)
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return [];
  }
}

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}
