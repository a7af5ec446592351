import fs from "node:fs";
import path from "node:path";
import { realPath } from "../../lib/real-path.ts";

/** Where rules apply: paths in them are relative to the working directory, or begin at the user's home. */
export interface RulePlace {
  cwd: string;
  /** The folder by the name it was given, and by its real one. */
  cwds: readonly string[];
  userHomes: readonly string[];
  /** The disk takes `.ENV` for `.env`. */
  isCaseBlind: boolean;
  /** Commands run in a shell whose grammar the parser reads. */
  hasBash: boolean;
}

export interface RulePlaceOptions {
  cwd: string;
  userHome: string;
  hasBash: boolean;
}

export function openRulePlace({ cwd, userHome, hasBash }: RulePlaceOptions): RulePlace {
  const names = (folder: string): string[] => [...new Set([path.resolve(folder), realPath(folder)])];
  return { cwd, cwds: names(cwd), userHomes: names(userHome), isCaseBlind: isCaseBlind(cwd), hasBash };
}

// A folder whose name in the other case is the same folder.
function isCaseBlind(folder: string): boolean {
  const resolved = path.resolve(folder);
  const swapped = resolved.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  try {
    const [here, there] = [fs.statSync(resolved), fs.statSync(swapped)];
    return swapped !== resolved && here.ino === there.ino && here.dev === there.dev;
  } catch {
    return false;
  }
}
