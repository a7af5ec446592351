import { seenItemsMax, recoveredAgeMsMax, recoveredLaunchesMax } from "./limits.ts";
import { holdfastPaths, isSafeName, projectKey } from "../format/paths.ts";
import { foldersIn } from "../lib/names-in.ts";
import { isSessionPresent } from "../store/write/session-presence.ts";
import { stateOfOffer } from "../tasks/notices/offer.ts";
import { mayBeTold } from "../tasks/notices/who-is-told.ts";
import { listRunning } from "../tasks/record/running-tasks.ts";
import { readTask } from "../tasks/record/task.ts";
import { isEnded } from "../tasks/record/task-state.ts";
import { itemOf, lookAtLaunch, type LookContext } from "./look-at-launch.ts";
import { isNoticeOver, lookAtTask, noticeNow } from "./look-at-own.ts";
import type { LaunchLine } from "./manifest-line.ts";
import { lazily } from "../lib/lazily.ts";
import { movedWork } from "./moved-work.ts";
import { scanOpenOutputs } from "./open-outputs.ts";
import { readerView, type ReaderView } from "./reader-view.ts";
import type { ToldItem } from "./mark-told.ts";
import type { RecoverOptions } from "./recover-options.ts";
import { readManifest, type ManifestItem } from "./read-manifest.ts";
import { launchOfTask } from "./record-launch.ts";
import { isOwnWork, type RecoveredItem } from "./recovered-item.ts";

/** What a starting session, or a person, needs to know about background work. Newest first. */
export interface Recovery {
  running: RecoveredItem[];
  finishedUnseen: RecoveredItem[];
  /** Gone without an ending that anybody recorded, and not told yet. */
  lost: RecoveredItem[];
  /** Ended and told before: what a compaction makes a session forget. Only when asked for, of the session that asks. */
  seen: RecoveredItem[];
  /** Ended, and left to the client that runs it, which is about to tell this session. */
  leftToClient: RecoveredItem[];
  /** Told, as the transcript of a session shows, and still to be recorded so. */
  arrived: ToldItem[];
  /** The same work more than once, while it runs or waits to be read. */
  duplicates: DuplicateWork[];
}

export interface DuplicateWork {
  fingerprint: string;
  description: string;
  ids: string[];
}

/** Looks at every launch of the project that the manifest knows, and at every task of Holdfast that runs there. */
export function recover(options: RecoverOptions): Recovery {
  const view = readerView(options);
  return sortOut(listLaunched(options, { view }), { ...options, view });
}

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
    if (!isSafeName(item.id)) return true;
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
    duplicates: duplicatesOf([...running, ...finishedUnseen]),
  };
}

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
function isNewsTo(item: RecoveredItem, sessionId: string | undefined): boolean {
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

function duplicatesOf(items: readonly RecoveredItem[]): DuplicateWork[] {
  return [...Map.groupBy(items, ({ fingerprint }) => fingerprint)]
    .filter(([fingerprint, group]) => fingerprint !== "" && group.length > 1)
    .map(([fingerprint, group]) => ({
      fingerprint,
      description: group[0]!.description,
      ids: group.map(({ id }) => id),
    }));
}

/** Every launch of which there may be something to say, looked at. What is history costs next to nothing. */
export function listLaunched(
  options: RecoverOptions,
  {
    context = lookContext(options),
    view = readerView(options),
  }: { context?: LookContext; view?: ReaderView } = {},
): RecoveredItem[] {
  const { home, projectDir, sessionId, withSeen = false, only = () => true } = options;
  const all = (): string[] => foldersIn(holdfastPaths(home).projectsDir).filter(isSafeName);
  const keys = projectDir === undefined ? all() : [projectKey(projectDir)];
  const isMine = ({ agent_id: id, session_id: launcher, source }: LaunchLine): boolean =>
    source === "hook" ? view.isMine({ id, sessionId: launcher }) : launcher === sessionId;
  const isHistory = historyTest(options, isMine);
  const items = new Map<string, RecoveredItem>();
  const look = (launched: ManifestItem): void => {
    const item = lookAtLaunch(launched, context);
    if (!item) return;
    const isCopied = launched.launch.session_id !== sessionId && isMine(launched.launch);
    items.set(item.id, isCopied ? { ...item, isCopied } : item);
  };
  for (const key of keys) {
    const launches = context
      .manifest(key)
      .slice(-recoveredLaunchesMax)
      .filter(({ launch }) => only(launch));
    const history = new Set(launches.filter(isHistory));
    for (const launched of launches) if (!history.has(launched)) look(launched);
    const mine = [...history].filter(({ launch }) => isMine(launch));
    if (withSeen) for (const launched of mine.slice(-seenItemsMax)) look(launched);
  }
  for (const item of runningTasks(options)) if (!items.has(item.id)) items.set(item.id, item);
  return [...items.values()];
}

/** Whether nothing of a launch is news to the asker, as far as names and lines tell: nothing of it is opened. */
export function historyTest(
  { home, sessionId, clock }: RecoverOptions,
  isOwn: (launch: LaunchLine) => boolean = (launch) => launch.session_id === sessionId,
): (item: ManifestItem) => boolean {
  const running = new Set(listRunning(home).map(({ id }) => id));
  const oldest = new Date(clock.now().getTime() - recoveredAgeMsMax).toISOString();
  return ({ launch, end, seenBy }) => {
    const isMine = sessionId !== undefined && isOwn(launch);
    if (isMine ? seenBy.includes(sessionId) : seenBy.length > 0) return true;
    if (launch.source === "hook") return end !== undefined && end.timestamp < oldest;
    return (
      !running.has(launch.agent_id) && (launch.timestamp < oldest || isNoticeOver(home, launch, { isMine }))
    );
  };
}

export function lookContext({ home, configDir, clock }: RecoverOptions): LookContext {
  const manifests = new Map<string, readonly ManifestItem[]>();
  return {
    home,
    openOutputs: lazily(() => scanOpenOutputs()),
    lookMoved: movedWork({ configDir, clock }),
    manifest(key) {
      const items = manifests.get(key) ?? readManifest(home, key);
      manifests.set(key, items);
      return items;
    },
    knownIds: () => new Set([...manifests.values()].flat().map(({ launch }) => launch.agent_id)),
  };
}

// Also those whose line in the manifest could not be written, or that this session started in another folder.
function runningTasks({ home, projectDir, sessionId, only = () => true }: RecoverOptions): RecoveredItem[] {
  return listRunning(home).flatMap((files) => {
    const task = readTask(files);
    if (!task || isEnded(task.state)) return [];
    const { record } = task;
    const isMine = sessionId !== undefined && record.sessionId === sessionId;
    if (projectDir !== undefined && record.cwd !== projectDir && !isMine) return [];
    const launch = launchOfTask(task);
    if (!only(launch)) return [];
    return [itemOf({ launch, seenBy: [] }, lookAtTask(task))];
  });
}
