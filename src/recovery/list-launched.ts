import { holdfastPaths, isSafeName, projectKey } from "../format/paths.ts";
import { foldersIn } from "../lib/names-in.ts";
import { listRunning } from "../tasks/record/running-tasks.ts";
import { readTask } from "../tasks/record/task.ts";
import { isEnded } from "../tasks/record/task-state.ts";
import { historyTest } from "./history.ts";
import { recoveredLaunchesMax, seenItemsMax } from "./limits.ts";
import { itemOf, lookAtLaunch } from "./look-at-launch.ts";
import type { LookContext } from "./look-context.ts";
import { openLookContext } from "./open-look-context.ts";
import { lookAtTask } from "./look-at-own.ts";
import type { LaunchLine } from "./manifest-line.ts";
import type { ManifestItem } from "./read-manifest.ts";
import { readerView, type ReaderView } from "./reader-view.ts";
import { launchOfTask } from "./record-launch.ts";
import type { RecoveredItem } from "./recovered-item.ts";
import type { RecoverOptions } from "./recover-options.ts";

/** Every launch of which there may be something to say, looked at. What is history costs next to nothing. */
export function listLaunched(
  options: RecoverOptions,
  {
    context = openLookContext(options),
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

type RunningOptions = Pick<RecoverOptions, "home" | "projectDir" | "sessionId" | "only">;

// Also those whose line in the manifest could not be written, or that this session started in another folder.
export function runningTasks({
  home,
  projectDir,
  sessionId,
  only = () => true,
}: RunningOptions): RecoveredItem[] {
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
