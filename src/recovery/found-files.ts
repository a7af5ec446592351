import fs from "node:fs";
import type { Clock } from "../lib/clock.ts";
import { recoveredAgeMsMax } from "./limits.ts";

/** When a file was last written; the beginning of time for one that is not there. */
export function modifiedAt(file: string): string {
  return (fs.statSync(file, { throwIfNoEntry: false })?.mtime ?? new Date(0)).toISOString();
}

/** Whether news of this moment is no news any more. */
export function isOld(moment: string, clock: Clock): boolean {
  return Date.parse(moment) < clock.now().getTime() - recoveredAgeMsMax;
}
