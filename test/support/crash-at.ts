import fs from "node:fs";
import type { FileOps } from "../../src/lib/file-ops.ts";

export interface CrashingFileOps {
  files: FileOps;
  /** How many calls were made so far, failed ones included. */
  calls: () => number;
}

/**
 * The real file calls, of which the nth and every later one fails (counted from 1; Infinity only counts): what is left
 * then is what a process that died there leaves. Only closing goes on working, because death closes everything.
 */
export function crashAt(n: number): CrashingFileOps {
  let calls = 0;
  const pass = (): void => {
    if (++calls >= n) throw Object.assign(new Error(`EIO: died at file call ${n}`), { code: "EIO" });
  };
  const guarded =
    <A extends unknown[], R>(real: (...args: A) => R) =>
    (...args: A): R => {
      pass();
      return real(...args);
    };
  const fdatasync = (fd: number, done: fs.NoParamCallback): void => {
    try {
      pass();
      fs.fdatasync(fd, done);
    } catch (error) {
      setImmediate(done, error as Error);
    }
  };
  const files = {
    openSync: guarded(fs.openSync),
    closeSync: fs.closeSync,
    writeSync: guarded(fs.writeSync as (...args: unknown[]) => number),
    writevSync: guarded(fs.writevSync as (...args: unknown[]) => number),
    fdatasync,
    fdatasyncSync: guarded(fs.fdatasyncSync),
    fsyncSync: guarded(fs.fsyncSync),
    renameSync: guarded(fs.renameSync),
    linkSync: guarded(fs.linkSync),
    unlinkSync: guarded(fs.unlinkSync),
    mkdirSync: guarded(fs.mkdirSync as (...args: unknown[]) => string | undefined),
  };
  return { files: files as unknown as FileOps, calls: () => calls };
}
