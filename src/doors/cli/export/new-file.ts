import fs from "node:fs";
import { writeFully } from "../../../lib/atomic-write.ts";
import { codeOf } from "../../../lib/errors.ts";
import { tempName } from "../../../lib/temp-name.ts";
import { cliError } from "../errors.ts";
import type { Output } from "../output.ts";

export interface NewFile extends Output {
  readonly bytes: number;
  /** Puts the file in its place. Until then, nothing is there. */
  finish(): void;
  /** Removes what was written so far, if it was not finished. */
  discard(): void;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;

/**
 * A private file that appears whole or not at all, and never through a link: it is written beside its place
 * under another name. Throws `output_exists` when something is there and `isReplacing` is false.
 */
export function createNewFile(file: string, { isReplacing }: { isReplacing: boolean }): NewFile {
  refuseExisting(file, { isReplacing });
  const temp = tempName(file);
  let fd: number | undefined = fs.openSync(temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  let bytes = 0;
  const close = (): void => {
    if (fd !== undefined) fs.closeSync(fd);
    fd = undefined;
  };
  const discard = (): void => {
    close();
    fs.rmSync(temp, { force: true });
    process.removeListener("exit", discard);
  };
  // Ctrl+C leaves no half of a file behind.
  process.on("exit", discard);
  return {
    get bytes() {
      return bytes;
    },
    isUsed: false,
    async write(text) {
      const data = typeof text === "string" ? Buffer.from(text) : text;
      if (fd !== undefined) writeFully(fd, data);
      bytes += data.byteLength;
      await new Promise(setImmediate);
    },
    async flush() {},
    finish() {
      if (fd !== undefined) fs.fdatasyncSync(fd);
      close();
      try {
        if (isReplacing) fs.renameSync(temp, file);
        else fs.linkSync(temp, file);
      } catch (error) {
        throw codeOf(error) === "EEXIST" ? existsError(file) : error;
      }
    },
    discard,
  };
}

function refuseExisting(file: string, { isReplacing }: { isReplacing: boolean }): void {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory())
    throw cliError("usage", `Cannot write "${file}": it is a folder; name a file in it`);
  if (stat && !isReplacing) throw existsError(file);
}

function existsError(file: string): Error {
  return cliError("output_exists", `Cannot write "${file}": it exists; name another file or add --force`, {
    fields: { path: file },
  });
}
