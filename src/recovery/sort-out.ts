import { holdfastPaths, isSafeName } from "../format/paths.ts";
import { lazily } from "../lib/lazily.ts";
import { namesIn } from "../lib/names-in.ts";
import { isSessionPresent } from "../store/write/session-presence.ts";
import { stateOfOffer } from "../tasks/notices/offer.ts";
import { mayBeTold } from "../tasks/notices/who-is-told.ts";
import { recoveredAgeMsMax } from "./limits.ts";
import type { ToldItem } from "./mark-told.ts";
import { isNewsTo, ownerFor } from "./news.ts";
import type { ReaderView } from "./reader-view.ts";
import type { RecoverOptions } from "./recover-options.ts";
import { isOwnWork, type RecoveredItem } from "./recovered-item.ts";
import type { DuplicateWork, Recovery } from "./recovery.ts";
import { groupSameWork } from "./same-work.ts";

/** Divides what was found into what the asker is to know. */
export function sortOut(
  items: readonly RecoveredItem[],
  { sessionId, home, configDir, clock, withSeen = false, view }: RecoverOptions & { view: ReaderView },
): Recovery {
  const oldest = clock.now().getTime() - recoveredAgeMsMax;
  const isRecent = (item: RecoveredItem): boolean => Date.parse(item.endedAt ?? item.startedAt) >= oldest;
  const present = new Map<string, boolean>();
  const isPresent = (session: string): boolean => {
    const known = present.get(session) ?? isSessionPresent({ home, configDir }, session);
    present.set(session, known);
    return known;
  };
  const reader = { sessionId, isSessionAlive: isPresent };
  const newest = [...items].sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
  const running = newest.filter(({ status }) => status === "running");
  const over = newest.filter(
    (item) =>
      item.status !== "running" && isRecent(item) && (isOwnWork(item, sessionId) || mayBeTold(item, reader)),
  );
  const arrived: ToldItem[] = [];
  const offered = lazily(() => new Set(namesIn(holdfastPaths(home).offersDir)));
  const leftToClient: RecoveredItem[] = [];
  const unseen = over.filter((item) => {
    if (!isNewsTo(item, sessionId)) return false;
    const told = view.toldByClient(item);
    if (told !== undefined) {
      arrived.push({ item, by: told });
      return false;
    }
    if (view.isClientAboutToTell(item)) {
      leftToClient.push(item);
      return false;
    }
    if (!isSafeName(item.id) || !offered().has(item.id)) return true;
    const asked = { by: sessionId, sessionId, owner: ownerFor(item, sessionId), now: clock.now() };
    const offer = stateOfOffer(holdfastPaths(home).offerPath(item.id), asked);
    if (offer.status === "arrived") arrived.push({ item, by: offer.by });
    return offer.status === "free";
  });
  const finishedUnseen = unseen.filter(({ status }) => status !== "lost");
  const isKnown = (item: RecoveredItem): boolean =>
    !isNewsTo(item, sessionId) ||
    (withSeen && arrived.some((told) => told.item === item && told.by === sessionId));
  return {
    running,
    finishedUnseen,
    lost: unseen.filter(({ status }) => status === "lost"),
    seen: over.filter((item) => isOwnWork(item, sessionId) && isKnown(item)),
    leftToClient,
    arrived,
    duplicates: duplicatesOf([...running, ...finishedUnseen.filter(isDone)]),
  };
}

/** It has done what it was launched for: to do it again, after a failure, is no repetition. */
export function isDone({ status }: Pick<RecoveredItem, "status">): boolean {
  return status === "completed";
}

function duplicatesOf(items: readonly RecoveredItem[]): DuplicateWork[] {
  return groupSameWork(items).map((group) => ({
    fingerprint: group[0]!.fingerprint,
    description: group[0]!.description,
    ids: group.map(({ id }) => id),
  }));
}
