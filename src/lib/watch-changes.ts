import fs from "node:fs";

export interface WatchTarget {
  path: string;
  recursive?: boolean;
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
  const watchers = targets.map((target) => tryWatch(target, () => tell("change")));
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
      for (const watcher of watchers) watcher?.close();
    },
  };
}

function tryWatch({ path, recursive = false }: WatchTarget, onChange: () => void): fs.FSWatcher | undefined {
  try {
    const watcher = fs.watch(path, { recursive }, onChange);
    // A watch that breaks (its folder was removed) leaves the timed check.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
