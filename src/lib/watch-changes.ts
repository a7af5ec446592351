import fs from "node:fs";

export interface ChangeWatch {
  /** Resolves at the next change, at the next timed check, or when the signal comes; says which. */
  next(): Promise<"change" | "check" | "aborted">;
  /** Names in the watched folders that the last `next` told of. */
  readonly names: ReadonlySet<string>;
  close(): void;
}

/**
 * Tells that something may have changed at some paths: in a file, or in a folder (not below the folders in it; Node's
 * recursive watch looks at every file that is written, and while one is written without pause nothing else gets its
 * turn, seen in 22 and 24). A watch can miss changes (network mounts, an exhausted inotify table, a path that does not
 * exist yet), so every `checkMs` it says so in any case. What happens between two calls of `next` is told by the second.
 */
export function watchChanges(
  paths: readonly string[],
  { checkMs, signal }: { checkMs: number; signal?: AbortSignal | undefined },
): ChangeWatch {
  let pending: "change" | "check" | undefined;
  let wake: (() => void) | undefined;
  let told = new Set<string>();
  let coming = new Set<string>();
  const tell = (what: "change" | "check"): void => {
    if (pending !== "check") pending = what;
    wake?.();
  };
  const watchers = paths.map((path) =>
    tryWatch(path, (name) => {
      if (name !== null) coming.add(name);
      tell("change");
    }),
  );
  const timer = setInterval(() => tell("check"), checkMs);
  const abort = (): void => wake?.();
  signal?.addEventListener("abort", abort, { once: true });
  return {
    async next() {
      if (pending === undefined && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      const why = pending ?? "change";
      pending = undefined;
      told = coming;
      coming = new Set();
      return signal?.aborted ? "aborted" : why;
    },
    get names() {
      return told;
    },
    close() {
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
      for (const watcher of watchers) watcher?.close();
    },
  };
}

function tryWatch(path: string, onChange: (name: string | null) => void): fs.FSWatcher | undefined {
  try {
    const watcher = fs.watch(path, (_, name) => onChange(name));
    // A watch that breaks (its folder was removed) leaves the timed check.
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
