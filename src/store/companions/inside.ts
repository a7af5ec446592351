import path from "node:path";

/** Whether a path is the folder `of` or below it, as the names say; links are not looked at. */
export function isInside(file: string, { of: dir }: { of: string }): boolean {
  const relative = path.relative(dir, file);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
