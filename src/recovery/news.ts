import { projectKey } from "../format/paths.ts";
import { noticeNow } from "./look-at-own.ts";
import { readManifest } from "./read-manifest.ts";
import { isOwnWork, type RecoveredItem } from "./recovered-item.ts";

/** Those that are news still, by what was recorded since they were looked at. */
export function stillNews(
  items: readonly RecoveredItem[],
  { home, projectDir, sessionId }: { home: string; projectDir: string; sessionId: string },
): RecoveredItem[] {
  if (items.length === 0) return [];
  const launches = readManifest(home, projectKey(projectDir));
  const seenBy = new Map(launches.map((each) => [each.launch.agent_id, each.seenBy]));
  return items.filter((item) => {
    const now = item.owner === "holdfast" ? noticeNow(home, item) : { isUnseen: true };
    return isNewsTo(
      { ...item, ...now, seenBy: [...(seenBy.get(item.id) ?? []), ...(now.seenBy ?? [])] },
      sessionId,
    );
  });
}

// A session's own work is news until that session was told, whoever else was; that of others, until anybody was. What a
// person started and stopped himself is no news to a session.
export function isNewsTo(item: RecoveredItem, sessionId: string | undefined): boolean {
  if (sessionId === undefined) return item.isUnseen && item.seenBy.length === 0;
  if (isOwnWork(item, sessionId))
    return !item.seenBy.includes(sessionId) && (item.isUnseen || item.owner === "client");
  const isStoppedByHand = item.sessionId === undefined && item.status === "stopped";
  return item.isUnseen && item.seenBy.length === 0 && !isStoppedByHand;
}

/** Whom an ending belongs to, for a reader: a copy of a session is told its own work, and not in the stead of another. */
export function ownerFor(item: RecoveredItem, reader: string | undefined): string | undefined {
  return isOwnWork(item, reader) ? reader : item.sessionId;
}
