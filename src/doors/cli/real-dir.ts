import fs from "node:fs";
import path from "node:path";

/**
 * The real path of a working directory, after which the client names its project; as given if it is not there.
 * `named` is what somebody typed who is in that directory.
 */
export function realDir(cwd: string, named?: string): string {
  const dir = named === undefined ? cwd : path.resolve(cwd, named);
  try {
    return fs.realpathSync(dir);
  } catch {
    return dir;
  }
}
