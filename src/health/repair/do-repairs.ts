import fs from "node:fs";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Repair } from "../health-check.ts";
import { openBackup } from "./open-backup.ts";

export interface DoneRepairs {
  repaired: { path: string; text: string }[];
  failed: { path: string; text: string; error: string }[];
  /** Where what was replaced is kept; null when nothing was. */
  backup: string | null;
}

/** Does them one by one; one that fails, such as of a session that was opened meanwhile, stops no other. */
export async function doRepairs(
  repairs: readonly Repair[],
  place: { home: string; clock: Clock },
): Promise<DoneRepairs> {
  const backup = openBackup(place);
  const done: DoneRepairs = { repaired: [], failed: [], backup: null };
  for (const { path, text, run } of repairs) {
    try {
      await run(backup);
      done.repaired.push({ path, text });
    } catch (error) {
      done.failed.push({ path, text, error: messageOf(error) });
    }
  }
  if (fs.existsSync(backup.dir)) done.backup = backup.dir;
  return done;
}
