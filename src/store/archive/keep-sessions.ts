import type { StoreContext } from "../write/session-writer.ts";
import { addAll, type ArchiveProgress } from "./archive-chosen.ts";
import type { ArchivedSession } from "./archived-sessions.ts";
import { listDueSessions, type DueSession } from "./due-sessions.ts";
import { writeSetting } from "../config/write-setting.ts";
import { isKeepOn, noteKeepRun } from "./keep-setting.ts";

export interface KeptSessions {
  periodDays: number;
  kept: ArchivedSession[];
  /** Written to just now, or not readable; a later run tries again. */
  postponed: (DueSession & { reason: string })[];
}

export interface KeepOptions {
  /** Turns the guard on or off first. */
  turn?: "on" | "off" | undefined;
  onProgress?: ((progress: ArchiveProgress) => void) | undefined;
}

export type KeepResult = { isOn: false } | ({ isOn: true } & KeptSessions);

/** Turns the guard on or off, if it is to; while it is on, runs it once: at a start of a session, from a timer, or by hand. */
export async function keep(
  context: StoreContext,
  { turn, onProgress }: KeepOptions = {},
): Promise<KeepResult> {
  if (turn !== undefined) writeSetting(context, "keep", turn === "on");
  if (!isKeepOn(context)) return { isOn: false };
  const kept = await keepSessions(context, { onProgress });
  noteKeepRun(context.home);
  return { isOn: true, ...kept };
}

/**
 * The guard: copies every session that the client is about to delete into the archive. The session stays where it is
 * and can be resumed until the client deletes it; from then on its copy is listed, shown and searched in its place.
 */
export async function keepSessions(
  context: StoreContext,
  { onProgress }: Pick<KeepOptions, "onProgress"> = {},
): Promise<KeptSessions> {
  const { periodDays, sessions } = listDueSessions(context);
  const due = sessions.filter(({ isKept }) => !isKept);
  if (due.length === 0) return { periodDays, kept: [], postponed: [] };
  const { archived, skipped } = await addAll(context, due, { keepsOriginals: true, onProgress });
  const reasons = new Map(skipped.map(({ session, error }) => [session.path, error.message]));
  const postponed = due.flatMap((session) => {
    const reason = reasons.get(session.path);
    return reason === undefined ? [] : [{ ...session, reason }];
  });
  return { periodDays, kept: archived, postponed };
}
