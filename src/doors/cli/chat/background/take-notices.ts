import { systemClock } from "../../../../lib/clock.ts";
import { consumeNotice, type Notice } from "../../../../tasks/notices/notices.ts";
import type { Tasks } from "../../../../tasks/open-tasks.ts";

export interface NoticeTaker {
  /** Sessions whose notices are asked for; each also brings those of its folder that are for anyone. */
  sessionIds: Iterable<string>;
  cwd: string;
  by: string;
  /** Others are left for whom they are for. */
  isWanted: (notice: Notice) => boolean;
}

/** Takes notices, each of which nobody gets a second time. Oldest first. */
export async function takeNotices(
  tasks: Tasks,
  { sessionIds, cwd, by, isWanted }: NoticeTaker,
): Promise<Notice[]> {
  const found = new Map<string, Notice>();
  for (const sessionId of sessionIds)
    for (const notice of await tasks.notices({ sessionId, cwd })) found.set(notice.taskId, notice);
  const taken: Notice[] = [];
  for (const notice of [...found.values()].filter(isWanted))
    if (consumeNotice(await tasks.find(notice.taskId), { by, clock: systemClock })) taken.push(notice);
  return taken.sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
}
