import fs from "node:fs";
import path from "node:path";
import { configPaths } from "../../format/paths.ts";
import { writeFully } from "../../lib/atomic-write.ts";
import { systemClock, type Clock } from "../../lib/clock.ts";
import { HoldfastError } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { clientLockStaleMs } from "./limits.ts";

export interface AppendPromptOptions {
  configDir: string;
  /** The working directory in which it was typed. */
  project: string;
  sessionId: string;
  clock?: Clock;
  files?: FileOps;
}

const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = fs.constants;
const NEWLINE = 10;

/**
 * Adds a prompt to the history that the client shows on arrow-up, as one whole line. Throws `conflict` while
 * the client holds its lock; the lock itself is only looked at, because it is the client's. Not synced:
 * history is a convenience.
 */
export function appendPrompt(display: string, options: AppendPromptOptions): void {
  const { configDir, project, sessionId, clock = systemClock, files = nodeFileOps } = options;
  const { historyFile } = configPaths(configDir);
  refuseWhileLocked(`${historyFile}.lock`);
  ensurePrivateDir(path.dirname(historyFile), files);
  const line = { display, pastedContents: {}, timestamp: clock.now().getTime(), project, sessionId };
  const fd = files.openSync(historyFile, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const separator = endsInsideLine(fd) ? "\n" : "";
    writeFully(fd, Buffer.from(`${separator}${JSON.stringify(line)}\n`), files);
  } finally {
    files.closeSync(fd);
  }
}

// The lock's age is measured by the file system's clock, so it is compared with the real one.
function refuseWhileLocked(lock: string): void {
  const stat = fs.statSync(lock, { throwIfNoEntry: false });
  if (!stat || Date.now() - stat.mtimeMs > clientLockStaleMs) return;
  throw new HoldfastError(
    `Cannot append to history "${lock.slice(0, -".lock".length)}": the client holds its lock`,
    {
      code: "conflict",
      retryable: true,
      fields: { lock },
    },
  );
}

function endsInsideLine(fd: number): boolean {
  const { size } = fs.fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}
