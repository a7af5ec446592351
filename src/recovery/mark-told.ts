import type { Clock } from "../lib/clock.ts";
import { isSafeName, projectKey } from "../format/paths.ts";
import { consumeNotice } from "../tasks/notices/notices.ts";
import { readTask } from "../tasks/record/task.ts";
import { taskFiles } from "../tasks/record/task-files.ts";
import { appendManifest } from "./append-manifest.ts";
import type { SeenLine } from "./manifest-line.ts";
import type { RecoveredItem } from "./recovered-item.ts";

export interface Teller {
  home: string;
  projectDir: string;
  sessionId: string;
  clock: Clock;
}

/**
 * Takes the notices of this session's own tasks of Holdfast; of several readers at once each goes to exactly one. Returns
 * what may be told: all but the tasks whose notice somebody else has just taken.
 */
export function takeNotices(
  items: readonly RecoveredItem[],
  { home, sessionId, clock }: Teller,
): RecoveredItem[] {
  return items.filter((item) => {
    if (item.owner !== "holdfast" || item.sessionId !== sessionId || !isSafeName(item.id)) return true;
    const task = readTask(taskFiles(home, { projectKey: projectKey(item.cwd), id: item.id }));
    return task === undefined || consumeNotice(task, { by: sessionId, clock });
  });
}

/** Records that the session was told of these endings, so that nobody is told again. */
export async function markSeen(
  items: readonly Pick<RecoveredItem, "id" | "cwd">[],
  { home, projectDir, sessionId, clock }: Teller,
): Promise<void> {
  const now = clock.now();
  const lines = items.map(({ id, cwd }): SeenLine => ({
    timestamp: now.toISOString(),
    agent_id: id,
    session_id: sessionId,
    cwd,
    status: "seen",
    source: "hook",
  }));
  await appendManifest({ home, projectDirs: [projectDir], now }, lines);
}
