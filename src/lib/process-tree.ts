import { setTimeout as wait } from "node:timers/promises";
import { startTimeOf } from "./process-identity.ts";
import { lookAtProcesses } from "./process-table.ts";

/** A process that leads a group of its own, and a variable that everything it started has in its environment. */
export interface ProcessTree {
  pid: number;
  marker: { name: string; value: string };
}

/**
 * Ends a process with everything it started, also what left its group: TERM, grace, KILL. Resolves when nothing of it is
 * left, or after the deadline (a process in the kernel's hands dies when the kernel lets go).
 */
export async function endProcessTree(
  tree: ProcessTree,
  { graceMs, deadlineMs }: { graceMs: number; deadlineMs: number },
): Promise<void> {
  const startedAt = performance.now();
  const told = new Set<string>();
  for (;;) {
    const isGraceOver = performance.now() - startedAt >= graceMs;
    const living = findMembers(tree);
    if (living.length === 0 || performance.now() - startedAt >= deadlineMs) return;
    for (const member of living) {
      const name = `${member.pid} ${member.startTime}`;
      // Who is told once has the whole grace; who was born meanwhile is told when it is seen.
      if (!isGraceOver && told.has(name)) continue;
      told.add(name);
      signal(member, isGraceOver ? "SIGKILL" : "SIGTERM");
    }
    await wait(POLL_MS);
  }
}

const POLL_MS = 10;

interface Member {
  pid: number;
  startTime: string;
}

function findMembers({ pid: leader, marker }: ProcessTree): Member[] {
  const table = lookAtProcesses();
  return table.pids().flatMap((pid) => {
    const isMarked = table.environment(pid).includes(`\0${marker.name}=${marker.value}\0`);
    const found = table.read(pid);
    return found && (isMarked || found.group === leader) ? [{ pid, startTime: found.startTime }] : [];
  });
}

function signal({ pid, startTime }: Member, name: NodeJS.Signals): void {
  if (startTimeOf(pid) !== startTime) return;
  try {
    process.kill(pid, name);
  } catch {
    /* It ended by itself, or belongs to somebody else: whoever looks again sees which. */
  }
}
