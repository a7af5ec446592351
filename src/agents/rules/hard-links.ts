import fs from "node:fs";
import { textOf, type Glob } from "./glob-meet.ts";
import { filesNamedBy } from "./path-pattern.ts";
import type { RulePlace } from "./rule-place.ts";

/**
 * Whether a name is another one of the very file that a pattern names: a hard link. Only of a pattern without a wildcard is it
 * known which file that is.
 */
export function hardLinkFinder(pattern: string, place: RulePlace): (name: Glob) => boolean {
  let denied: (fs.Stats | undefined)[] | undefined;
  return (name) => {
    const text = textOf(name);
    denied ??= filesNamedBy(pattern, place).map(linkedFile);
    if (text === undefined || denied.every((each) => each === undefined)) return false;
    const found = linkedFile(text);
    return found !== undefined && denied.some((each) => each?.ino === found.ino && each.dev === found.dev);
  };
}

// A file with one name has no other.
function linkedFile(file: string): fs.Stats | undefined {
  try {
    const found = fs.statSync(file, { throwIfNoEntry: false });
    return found?.isFile() && found.nlink > 1 ? found : undefined;
  } catch {
    return undefined;
  }
}
