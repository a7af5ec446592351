import fs from "node:fs";

/**
 * The file calls through which everything durable is written. A port, so that a test can make the Nth of
 * them fail (test/support/failing-file-ops.ts); reading needs none, because a failed read loses nothing.
 */
export type FileOps = Pick<
  typeof fs,
  | "openSync"
  | "closeSync"
  | "writeSync"
  | "writevSync"
  | "fdatasync"
  | "fdatasyncSync"
  | "fsyncSync"
  | "renameSync"
  | "linkSync"
  | "unlinkSync"
  | "mkdirSync"
>;

export const nodeFileOps: FileOps = fs;
