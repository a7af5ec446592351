import { readLease } from "../../lib/lease.ts";
import { noticeOf } from "../live/task-row.ts";
import type { Task } from "../record/task.ts";
import { isEnded } from "../record/task-state.ts";
import { readToldNotice } from "./confirm.ts";

/** One step of the news of an ending. */
export interface LedgerEntry {
  /** `queued` by the ending itself, `offered` to one reader, `consumed` by it, or `muted`. */
  state: "queued" | "offered" | "consumed" | "muted";
  at: string | null;
  by: string | null;
  /** Another session was told, because the owner was gone. */
  isStandIn: boolean;
}

/** What became of the news of an ending, oldest first; nothing while the task runs. */
export function readLedger({ record, files, state }: Task): LedgerEntry[] {
  if (!isEnded(state)) return [];
  const told = readToldNotice(files);
  const step = (entry: Partial<LedgerEntry> & Pick<LedgerEntry, "state">): LedgerEntry => ({
    at: null,
    by: null,
    isStandIn: false,
    ...entry,
  });
  const queued = step({ state: "queued", at: state.endedAt });
  if (told)
    return [queued, step({ state: "consumed", at: told.at, by: told.by, isStandIn: told.standIn === true })];
  if (noticeOf(files, record.muted) === "muted") return [step({ state: "muted" })];
  const offer = readLease(files.noticeOffer) as { by?: string; since?: string; standIn?: true } | undefined;
  if (!offer) return [queued];
  return [queued, step({ state: "offered", by: offer.by ?? null, isStandIn: offer.standIn === true })];
}
