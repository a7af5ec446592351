import fs from "node:fs";
import path from "node:path";
import { livenessOf, type ProcessIdentity } from "../../src/lib/process-identity.ts";

/** What this process has open and running, to be compared with later. Empty where the system has no /proc. */
export interface ProcessSnapshot {
  /** Descriptor number and what it leads to. */
  descriptors: Map<string, string>;
  children: Set<number>;
}

export function snapshotProcess(): ProcessSnapshot {
  return { descriptors: listDescriptors(), children: new Set(listChildren()) };
}

/** What is there now and was not before, in words; ends surviving children so that later tests are undisturbed. */
export async function findLeaks(
  before: ProcessSnapshot,
  { dirs, graceMs }: { dirs: readonly string[]; graceMs: number },
): Promise<string[]> {
  const giveUpAt = performance.now() + graceMs;
  for (;;) {
    const children = listChildren().filter((pid) => !before.children.has(pid));
    const leaks = [
      ...children.map((pid) => `child process ${pid} (${commandOf(pid)})`),
      ...[...listDescriptors()]
        .filter(([fd, target]) => before.descriptors.get(fd) !== target)
        .map(([fd, target]) => `descriptor ${fd} (${target})`),
      ...dirs.flatMap(heldLeases).map((file) => `lease ${file}`),
    ];
    if (leaks.length === 0) return leaks;
    if (performance.now() > giveUpAt) {
      for (const pid of children) killQuietly(pid);
      return leaks;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function listDescriptors(): Map<string, string> {
  const descriptors = new Map<string, string>();
  for (const fd of readdirOf("/proc/self/fd")) {
    try {
      const target = fs.readlinkSync(`/proc/self/fd/${fd}`);
      if (!isOwnedByNode(target)) descriptors.set(fd, target);
    } catch {
      /* the one that listed the folder is gone again */
    }
  }
  return descriptors;
}

// The event loop opens these when first needed and keeps them; vitest reads modules while a test runs.
function isOwnedByNode(target: string): boolean {
  return target.startsWith("anon_inode:") || target.includes("/node_modules/") || target.startsWith("/proc/");
}

function listChildren(): number[] {
  const children = readdirOf("/proc/self/task").flatMap((thread) => {
    try {
      return fs
        .readFileSync(`/proc/self/task/${thread}/children`, "latin1")
        .split(" ")
        .filter(Boolean)
        .map(Number);
    } catch {
      return [];
    }
  });
  return children.filter((pid) => !isZombie(pid));
}

function isZombie(pid: number): boolean {
  try {
    return /\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return true;
  }
}

function commandOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").join(" ").trim();
  } catch {
    return "gone";
  }
}

// A dead process's lease is no leak: tests leave such on purpose, and anybody may take it.
function heldLeases(dir: string): string[] {
  return readdirOf(dir, { recursive: true })
    .filter((name) => name.includes(".lease"))
    .map((name) => path.join(dir, name))
    .filter((file) => {
      try {
        return livenessOf(JSON.parse(fs.readFileSync(file, "utf8")) as ProcessIdentity) === "alive";
      } catch {
        return false;
      }
    });
}

function readdirOf(dir: string, options: { recursive?: boolean } = {}): string[] {
  try {
    return fs.readdirSync(dir, { ...options, encoding: "utf8" });
  } catch {
    return [];
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    /* it ended by itself */
  }
}
