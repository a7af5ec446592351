import fs from "node:fs";
import { heartbeatMs, silenceMsMax } from "../limits.ts";
import type { TaskFiles } from "./task-files.ts";

/**
 * How a task shows that it lives to those who cannot see its processes, because these run on another host or in another pid
 * namespace: whoever runs it renews the time of `<id>.beat` every minute. Who wonders leaves `<id>.asked`; when no beat has
 * followed for some minutes, nobody is there. So a machine that was suspended has time to beat again after it woke.
 */
export function keepBeating(files: Pick<TaskFiles, "beat">): { stop(): void } {
  renewTime(files.beat);
  const timer = setInterval(() => renewTime(files.beat), heartbeatMs).unref();
  return {
    stop: () => {
      clearInterval(timer);
      fs.rmSync(files.beat, { force: true });
    },
  };
}

/** When it last showed that it lives; undefined if it never did (it has only just started, or an older version runs it). */
export function lastBeat({ beat }: Pick<TaskFiles, "beat">): Date | undefined {
  return fs.statSync(beat, { throwIfNoEntry: false })?.mtime;
}

/** Whether it has given no sign of life since somebody asked for one. Asks, if nobody has. */
export function hasFallenSilent(files: Pick<TaskFiles, "beat" | "asked">): boolean {
  const beat = lastBeat(files);
  // What never beat promised nothing.
  if (!beat) return false;
  const asked = fs.statSync(files.asked, { throwIfNoEntry: false })?.mtime;
  if (asked && asked > beat) return Date.now() - asked.getTime() > silenceMsMax;
  renewTime(files.asked);
  return false;
}

// By a write, so that both times come from the clock of the disk, which may be another machine's.
function renewTime(file: string): void {
  try {
    fs.writeFileSync(file, "\n", { mode: 0o600 });
  } catch {
    /* On a full or read-only disk nobody can ask, and nobody is declared lost. */
  }
}
