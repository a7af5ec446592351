import fs from "node:fs";
import { codeOf } from "../../lib/errors.ts";
import { isPacked, openPacked } from "../archive/read-packed.ts";
import { storeError } from "../errors.ts";

/** Opens a transcript for reading, an archived one too; says what is wrong, and what to do, where it cannot. */
export function openTranscriptFile(file: string): number {
  let fd: number;
  try {
    if (isPacked(file)) return openPacked(file);
    // Without O_NONBLOCK a named pipe in the way would hang the open.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    throw openError(file, error);
  }
  if (fs.fstatSync(fd).isFile()) return fd;
  fs.closeSync(fd);
  throw storeError("not_a_transcript", `Cannot read "${file}": it is not a regular file`, {
    fields: { path: file },
  });
}

function openError(file: string, cause: unknown): Error {
  const fields = { path: file };
  switch (codeOf(cause)) {
    case "ENOENT":
      return storeError("session_not_found", `Cannot read "${file}": no such file`, { cause, fields });
    case "EACCES":
    case "EPERM":
      return storeError(
        "not_a_transcript",
        `Cannot read "${file}": no permission; check its owner and mode`,
        { cause, fields },
      );
    default:
      return cause as Error;
  }
}
