import path from "node:path";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { pathBelow } from "../../../lib/path-below.ts";

/** A path as people write it: below their home with `~`. */
export function displayPath(file: string, userHome: string): string {
  const relative = userHome === path.parse(userHome).root ? undefined : pathBelow(userHome, file);
  return terminalLine(relative === undefined ? file : path.join("~", relative));
}
