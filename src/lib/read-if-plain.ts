import fs from "node:fs";

/** What `read` makes of a plain file that anybody may have written; undefined when there is none, or it cannot be read. Never waits. */
export function readIfPlain<Result>(
  file: string,
  read: (fd: number, stat: fs.Stats) => Result,
): Result | undefined {
  let fd: number;
  try {
    // Without O_NONBLOCK a named pipe in the way would hang the open.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fs.fstatSync(fd);
    return stat.isFile() ? read(fd, stat) : undefined;
  } catch {
    return undefined;
  } finally {
    fs.closeSync(fd);
  }
}
