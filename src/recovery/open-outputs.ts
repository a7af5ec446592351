import fs from "node:fs";
import path from "node:path";
import { launchDelayMsMax, scannedProcessesMax } from "./limits.ts";
import { lazily } from "../lib/lazily.ts";
import { startedAtMs } from "../lib/process-start.ts";
import { lookAtProcesses } from "../lib/process-table.ts";
import type { ProcessTable, RunningProcess } from "../lib/running-process.ts";

/** Who has which task output open, and which shells a client left behind. */
export interface OpenOutputs {
  /** Processes that hold a file open, by its real path. */
  holders(file: string): number[];
  /**
   * Shells of this client that hold no task's output: the client's own process has it (of a monitor), or the command
   * replaced its shell and sent its output elsewhere. A daemon that a command left behind is none.
   */
  shellsOf(launch: ShellLaunch): number[];
  /** Every output that somebody holds, with its holders. */
  readonly all: ReadonlyMap<string, readonly number[]>;
  /** False where the system does not tell: then that nobody is found means nothing. */
  readonly canLook: boolean;
}

export interface ShellLaunch {
  /** The client's process. */
  client: number;
  sessionId: string;
  /** When the launch was recorded: its shell has started just before. */
  launchedAt: string;
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
  // Only the folders of an output may be links, so most are known to be nobody's by their name.
  const names = new Set([...all.keys()].map((file) => path.basename(file)));
  const leaders = lazily(() => leadersAmong(pids, { table, holding }));
  return {
    all,
    canLook: pids.length > 0,
    holders: (file) => (names.has(path.basename(file)) && all.get(realPath(file))) || [],
    shellsOf(launch) {
      const launchedAtMs = Date.parse(launch.launchedAt);
      return leaders()
        .filter((leader) => hasStartedBy(leader, launchedAtMs) && isOfClient(leader.environment(), launch))
        .map(({ pid }) => pid);
    },
  };
}

interface Leader {
  pid: number;
  startedAt: number | undefined;
  environment: () => string;
}

// The client gives every command a session of its own, which its shell leads.
function leadersAmong(
  pids: readonly number[],
  { table, holding }: { table: ProcessTable; holding: ReadonlySet<number> },
): Leader[] {
  const isLeader = ({ pid, session, group }: RunningProcess): boolean => (session ?? group) === pid;
  return pids.flatMap((pid) => {
    const found = holding.has(pid) ? undefined : table.read(pid);
    if (!found || !isLeader(found)) return [];
    const environment = lazily(() => table.environment(pid));
    return [{ pid, startedAt: startedAtMs(found.startTime), environment }];
  });
}

function hasStartedBy({ startedAt }: Leader, launchedAtMs: number): boolean {
  if (startedAt === undefined) return true;
  const delay = launchedAtMs - startedAt;
  return delay > -CLOCK_GRAIN_MS && delay < launchDelayMsMax;
}

// Start times are known to a second where the system does not tell better.
const CLOCK_GRAIN_MS = 2000;

// The client marks whatever it starts with its own pid and session.
function isOfClient(environment: string, { client, sessionId }: ShellLaunch): boolean {
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
