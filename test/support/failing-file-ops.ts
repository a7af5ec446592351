import fs from "node:fs";
import { nodeFileOps, type FileOps } from "../../src/lib/file-ops.ts";

/** `sync` is any of fdatasync and fsync: what differs between them is not what a failure does. */
export type FileCall = "open" | "write" | "sync" | "rename" | "link";

export interface FileFault {
  call: FileCall;
  /** Errno name that the nth call fails with; with `short`, the call after it. */
  error?: "EIO" | "ENOSPC";
  /** For `write`: the nth one writes only half of its bytes and says so. */
  short?: boolean;
}

export interface FailingFileOps {
  files: FileOps;
  /** How many calls of the kind were made so far, failed ones included. */
  calls: () => number;
}

/** The real file calls, of which the nth of one kind fails (counted from 1; Infinity only counts). */
export function failingFileOps(n: number, { call, error, short = false }: FileFault): FailingFileOps {
  const failsAt = error === undefined ? Infinity : short ? n + 1 : n;
  let calls = 0;
  const pass = (kind: FileCall): void => {
    if (kind !== call || ++calls !== failsAt) return;
    throw Object.assign(new Error(`${error}: injected into ${call} number ${calls}`), { code: error });
  };
  const guarded =
    <A extends unknown[], R>(kind: FileCall, real: (...args: A) => R) =>
    (...args: A): R => {
      pass(kind);
      return real(...args);
    };
  const writeSync = (fd: number, data: string | Uint8Array, start = 0, length?: number): number => {
    pass("write");
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    const wanted = length ?? bytes.byteLength - start;
    const isShort = short && call === "write" && calls === n;
    return fs.writeSync(fd, bytes, start, isShort ? Math.ceil(wanted / 2) : wanted);
  };
  const fdatasync = (fd: number, done: fs.NoParamCallback): void => {
    try {
      pass("sync");
      fs.fdatasync(fd, done);
    } catch (failure) {
      setImmediate(done, failure as Error);
    }
  };
  const files = {
    ...nodeFileOps,
    openSync: guarded("open", fs.openSync),
    writeSync,
    writevSync: (fd: number, parts: readonly NodeJS.ArrayBufferView[]) =>
      writeSync(fd, Buffer.concat(parts as readonly Uint8Array[])),
    fdatasync,
    fdatasyncSync: guarded("sync", fs.fdatasyncSync),
    fsyncSync: guarded("sync", fs.fsyncSync),
    renameSync: guarded("rename", fs.renameSync),
    linkSync: guarded("link", fs.linkSync),
  };
  return { files: files as unknown as FileOps, calls: () => calls };
}
