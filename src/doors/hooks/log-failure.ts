import fs from "node:fs";
import path from "node:path";
import type { HookWorld } from "./hook-world.ts";
import { hookLogBytesMax } from "./limits.ts";
import { oneLine } from "../../format/short-text.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";

const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;

/** Writes down that something was launched of which nothing can be recorded. */
export function logDropped({ home, clock }: Pick<HookWorld, "home" | "clock">, where: string): void {
  const why = `Cannot record a launch: ${where} has no id, or one that is too long`;
  logFailure(home, why, { now: clock.now() });
}

/** Writes down why a hook said nothing. When even that fails, nobody is told: the client must go on. */
export function logFailure(home: string, error: unknown, { now }: { now: Date }): void {
  try {
    const file = path.join(ensurePrivateDir(home), "hook-errors.log");
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (size > hookLogBytesMax) fs.renameSync(file, `${file}.1`);
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const fd = fs.openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      fs.writeSync(fd, `${now.toISOString()} pid ${process.pid} ${oneLine(why).slice(0, 2000)}\n`);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    /* see above */
  }
}
