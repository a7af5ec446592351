import fs from "node:fs";
import { taskWalkAgeMsMax } from "../limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import { DerivedIndex, type IndexOptions } from "../../store/index/derived-index.ts";
import { EndedTasks } from "./ended-tasks.ts";
import { readRunning } from "../record/read-running.ts";
import { filesOfName } from "../record/running-tasks.ts";
import type { Task } from "../record/task.ts";
import type { TaskFiles } from "../record/task-files.ts";
import { keepEnded, walkTasks } from "./walk-tasks.ts";

export interface KnownTasks {
  ended: EndedTasks;
  /** Listed first, so that a task which ends meanwhile is in both rather than in neither. */
  running: Task[];
}

/**
 * Asks something about tasks that may have ended. The index learns of those that ended since from the folder ended/; what
 * that does not tell (they were run by an older Holdfast, or the machine lost power) it finds once a day, by the names in
 * all folders. Where the index cannot be used, the same is asked of all tasks on the disk.
 */
export function askEnded<Answer>(
  home: string,
  question: (tasks: KnownTasks) => Answer,
  options: IndexOptions = {},
): Answer {
  const index = new DerivedIndex(holdfastPaths(home).indexDir, options);
  const ended = new EndedTasks(home, index);
  try {
    const answer = index.reliably(() => {
      ended.walked.clear();
      const running = readRunning(home);
      ended.check();
      takeEnded(ended);
      if (isWalkDue(ended)) {
        walkTasks(ended);
        ended.write(() => ended.noteWalk(Date.now()));
      }
      const result = question({ ended, running });
      if (!ended.isStale) return result;
      // A row without a task may stand for a task without a row.
      ended.walked.clear();
      return question({ ended, running: walkTasks(ended) });
    });
    if (answer) return answer.result;
  } finally {
    ended.close();
  }
  return askFiles(home, question);
}

function askFiles<Answer>(home: string, question: (tasks: KnownTasks) => Answer): Answer {
  const ended = new EndedTasks(home, DerivedIndex.inMemory());
  try {
    const running = readRunning(home);
    walkTasks(ended);
    return question({ ended, running });
  } finally {
    ended.close();
  }
}

/**
 * Takes what is in ended/ into the index. A name goes when its task has been kept, so that whoever is killed in between
 * leaves it for the next one, and of several who take it at once each keeps the same.
 */
function takeEnded(ended: EndedTasks): void {
  const names = namesIn(holdfastPaths(ended.home).endedDir);
  const entered = names.flatMap((name) => filesOfName(ended.home, name) ?? []);
  const isOpen = new Set(keepEnded(ended, entered).map(({ files }) => files.base));
  for (const files of entered) if (!isOpen.has(files.base)) removeName(files);
}

function removeName({ ended }: TaskFiles): void {
  try {
    fs.rmSync(ended, { force: true });
  } catch {
    /* It is taken once more. */
  }
}

// A clock that was set back must not put it off.
function isWalkDue({ home, walkedAt }: EndedTasks): boolean {
  if (walkedAt === undefined) return fs.existsSync(holdfastPaths(home).projectsDir);
  const ageMs = Date.now() - walkedAt;
  return ageMs < 0 || ageMs > taskWalkAgeMsMax;
}
