import fs from "node:fs";
import path from "node:path";

export interface WatchTarget {
  path: string;
  /** How many levels of folders below it are watched as well, also those that come later. Default 0. */
  depth?: number;
  /** Which names in a folder concern the caller; without it all do. */
  matters?: (name: string) => boolean;
}

export interface ChangeWatch {
  /** Resolves at the next change, at the next timed check, or when the signal comes; says which. */
  next(): Promise<"change" | "check" | "aborted">;
  close(): void;
}

/**
 * Tells that something may have changed below some paths. A watch can miss changes (network mounts, an exhausted
 * inotify table, a folder that does not exist yet), so every `checkMs` it says so in any case. What happens between two
 * calls of `next` is told by the second one.
 */
export function watchChanges(
  targets: readonly WatchTarget[],
  { checkMs, signal }: { checkMs: number; signal?: AbortSignal | undefined },
): ChangeWatch {
  let pending: "change" | "check" | undefined;
  let wake: (() => void) | undefined;
  const tell = (what: "change" | "check"): void => {
    if (pending !== "check") pending = what;
    wake?.();
  };
  const watches = targets.map((target) => watchTarget(target, () => tell("change")));
  const timer = setInterval(() => tell("check"), checkMs);
  const abort = (): void => wake?.();
  signal?.addEventListener("abort", abort, { once: true });
  return {
    async next() {
      if (pending === undefined && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      const told = pending ?? "change";
      pending = undefined;
      return signal?.aborted ? "aborted" : told;
    },
    close() {
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
      for (const watch of watches) watch.close();
    },
  };
}

interface Closable {
  close(): void;
}

/**
 * One watch a folder. Node's own recursive watch looks at every file that is written, and while one is written without
 * pause nothing else gets its turn: no timer, no Ctrl+C (seen in 22 and 24).
 */
function watchTarget({ path: dir, depth = 0, matters }: WatchTarget, onChange: () => void): Closable {
  const below = new Map<string, Closable>();
  const watcher = tryWatch(dir, (name) => {
    // A new folder is watched before its coming is told, so that nothing in it is missed.
    if (depth > 0) watchBelow();
    if (name === null || !matters || depth > 0 || matters(name)) onChange();
  });
  const watchBelow = (): void => {
    const names = new Set(folderNames(dir));
    for (const [name, watch] of below) {
      if (names.has(name)) continue;
      watch.close();
      below.delete(name);
    }
    for (const name of names) {
      if (below.has(name)) continue;
      const target = { path: path.join(dir, name), depth: depth - 1, ...(matters && { matters }) };
      below.set(name, watchTarget(target, onChange));
    }
  };
  if (depth > 0) watchBelow();
  return {
    close() {
      watcher?.close();
      for (const watch of below.values()) watch.close();
    },
  };
}

function tryWatch(dir: string, onChange: (name: string | null) => void): fs.FSWatcher | undefined {
  try {
    const watcher = fs.watch(dir, (_, name) => onChange(name));
    // A watch that breaks (its folder was removed) leaves the timed check.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

function folderNames(dir: string): string[] {
  try {
    return fs
      .readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
