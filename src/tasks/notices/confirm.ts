import fs from "node:fs";
import { createFileAtomic, writeFileAtomic } from "../../lib/atomic-write.ts";
import type { Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { readJson } from "../../lib/read-json.ts";
import type { Task } from "../record/task.ts";
import { isStandIn } from "./who-is-told.ts";

/** Who told a notice. */
export interface Teller {
  by: string;
  /** The session that was told, if it was one. */
  sessionId?: string | undefined;
  clock: Clock;
}

/** What `.notice.consumed` says. */
export interface ToldNotice {
  by: string;
  at: string;
  /** Another session was told in the owner's stead. */
  standIn?: true;
}

/** Records that a notice was told, for good, and ends its offer. */
export function confirmNotice({ files, record }: Task, { by, sessionId, clock }: Teller): void {
  const standIn = isStandIn(record.sessionId, sessionId);
  const told: ToldNotice = { by, at: clock.now().toISOString(), ...(standIn && { standIn }) };
  const content = `${JSON.stringify(told)}\n`;
  try {
    // Creating it finds out, too, but only after it has synced a draft. An ended task may be read any number of times.
    if (!fs.existsSync(files.noticeConsumed)) createFileAtomic(files.noticeConsumed, content);
    else if (!standIn && readToldNotice(files)?.standIn) writeFileAtomic(files.noticeConsumed, content);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  fs.rmSync(files.noticeOffer, { force: true });
}

/** Undefined while nobody was told. */
export function readToldNotice({ noticeConsumed }: Task["files"]): ToldNotice | undefined {
  return (readJson(noticeConsumed) ?? undefined) as ToldNotice | undefined;
}
