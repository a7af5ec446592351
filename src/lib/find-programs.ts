import fs from "node:fs";
import path from "node:path";

/**
 * The programs of a name on a PATH, in its order. Empty and relative parts of a PATH mean the current folder, which may be
 * anybody's checkout: they are passed over.
 */
export function findPrograms(name: string, searchPath = ""): string[] {
  return searchPath
    .split(path.delimiter)
    .filter((dir) => path.isAbsolute(dir))
    .map((dir) => path.join(dir, name))
    .filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
