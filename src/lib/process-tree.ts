import fs from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { startTimeOf } from "./process-identity.ts";

/** A process that leads a group of its own, and a variable that everything it started has in its environment. */
export interface ProcessTree {
  pid: number;
  marker: { name: string; value: string };
}

/**
 * Ends a process with everything it started, also what left its group: TERM, grace, KILL. Resolves when nothing of it is
 * left, or after the deadline (a process in the kernel's hands dies when the kernel lets go). Without /proc only the
 * group is found.
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
  /** Negative for a whole group, where its members cannot be listed. */
  pid: number;
  startTime?: string;
}

function findMembers({ pid: leader, marker }: ProcessTree): Member[] {
  if (!fs.existsSync("/proc/self/stat")) return isAlive(-leader) ? [{ pid: -leader }] : [];
  return listPids().flatMap((name) => {
    const isMarked = readQuietly(`/proc/${name}/environ`)
      .split("\0")
      .includes(`${marker.name}=${marker.value}`);
    if (!isMarked && groupOf(name) !== leader) return [];
    const startTime = startTimeOf(Number(name));
    return startTime === undefined ? [] : [{ pid: Number(name), startTime }];
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function listPids(): string[] {
  try {
    return fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

// The program's name is in parentheses and may hold anything: count from the last one.
function groupOf(pid: string): number {
  const stat = readQuietly(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
}

function readQuietly(file: string): string {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

function signal({ pid, startTime }: Member, name: NodeJS.Signals): void {
  if (startTime !== undefined && startTimeOf(pid) !== startTime) return;
  try {
    process.kill(pid, name);
  } catch {
    /* It ended by itself, or belongs to somebody else: whoever looks again sees which. */
  }
}
