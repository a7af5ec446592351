import type { Clock } from "../lib/clock.ts";
import { isSafeName, projectKey } from "../format/paths.ts";
import { consumeNotice } from "../tasks/notices/notices.ts";
import { readTask } from "../tasks/record/task.ts";
import { taskFiles } from "../tasks/record/task-files.ts";
import { appendManifest } from "./append-manifest.ts";
import { buildBrief, type Brief, type BriefOptions } from "./brief.ts";
import type { SeenLine } from "./manifest-line.ts";
import type { Recovery } from "./recover.ts";
import type { RecoveredItem } from "./recovered-item.ts";

export interface Teller {
  home: string;
  projectDir: string;
  sessionId: string;
  clock: Clock;
}

export interface ToldBrief extends Brief {
  /** Records that the session has seen it; to be called once the text is out. */
  record: () => Promise<void>;
}

/**
 * Tells what was found, and has it told to nobody else: notices are taken before the text is made, because of several
 * tellers one may have each. Undefined when there is nothing to say.
 */
export function tellBrief(
  recovery: Recovery,
  { listedBy, ...teller }: Teller & Pick<BriefOptions, "listedBy">,
): ToldBrief | undefined {
  const options = { now: teller.clock.now(), sessionId: teller.sessionId, listedBy };
  let brief = buildBrief(recovery, options);
  if (!brief) return undefined;
  const free = new Set(takeNotices(brief.told, teller));
  if (free.size < brief.told.length) {
    const taken = new Set(brief.told.filter((item) => !free.has(item)));
    const isFree = (item: Recovery["lost"][number]): boolean => !taken.has(item);
    const rest = {
      ...recovery,
      finishedUnseen: recovery.finishedUnseen.filter(isFree),
      lost: recovery.lost.filter(isFree),
    };
    brief = buildBrief(rest, options);
    if (!brief) return undefined;
  }
  const { told } = brief;
  return { ...brief, record: () => markSeen(told, teller) };
}

/**
 * Takes the notices of this session's own tasks of Holdfast; of several readers at once each goes to exactly one. Returns
 * what may be told: all but the tasks whose notice somebody else has just taken.
 */
function takeNotices(items: readonly RecoveredItem[], { home, sessionId, clock }: Teller): RecoveredItem[] {
  return items.filter((item) => {
    if (item.owner !== "holdfast" || item.sessionId !== sessionId || !isSafeName(item.id)) return true;
    const task = readTask(taskFiles(home, { projectKey: projectKey(item.cwd), id: item.id }));
    return task === undefined || consumeNotice(task, { by: sessionId, clock });
  });
}

/** Records that the session was told of these endings, so that nobody is told again. */
async function markSeen(
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
