import fs from "node:fs";

/** The real path of a working directory, after which the client names its project; as given if it is not there. */
export function realDir(dir: string): string {
  try {
    return fs.realpathSync(dir);
  } catch {
    return dir;
  }
}
