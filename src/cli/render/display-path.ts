import path from "node:path";
import { terminalLine } from "../../lib/terminal-text.ts";

/** A path as people write it: below their home with `~`. */
export function displayPath(file: string, userHome: string): string {
  const relative = path.relative(userHome, file);
  const isBelow =
    userHome !== path.parse(userHome).root && !relative.startsWith("..") && !path.isAbsolute(relative);
  return terminalLine(isBelow ? path.join("~", relative) : file);
}
