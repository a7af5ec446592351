import path from "node:path";

/** The way from a folder down to a file, empty for the folder itself; undefined when it leads out. Links are not looked at. */
export function pathBelow(dir: string, file: string): string | undefined {
  const relative = path.relative(dir, file);
  const leadsOut = relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative);
  return leadsOut ? undefined : relative;
}
