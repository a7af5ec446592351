import fs from "node:fs";
import { taskCheckMs } from "../../format/limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { namesIn } from "../../lib/names-in.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { watchChanges, type ChangeWatch } from "../../lib/watch-changes.ts";
import type { IndexOptions } from "../../store/index/derived-index.ts";
import { askEnded } from "../list/ask-ended.ts";
import { readEach } from "../list/list-tasks.ts";
import { readEnding } from "../record/read-state.ts";
import { filesOfName, listRunning } from "../record/running-tasks.ts";
import { readTask, refreshed, type Task } from "../record/task.ts";
import { eventLagMs, parseCursor, type EventCursor } from "./event-cursor.ts";
import type { TaskEvent } from "./task-event.ts";
import { Telling } from "./telling.ts";

export interface EventsOptions {
  signal: AbortSignal;
  /** The cursor of an earlier event, also of another process: what happened since comes first, in order. */
  after?: string | undefined;
}

/**
 * Starts, progress and ends of all tasks of a home, whichever process causes them, until the signal. Tasks that run when
 * it begins are announced as started, those that ended before are not mentioned; every start has exactly one end. What an
 * update costs does not depend on how many tasks there are. Where changes cannot be watched, a task that starts and ends
 * between two checks is not seen. After a cursor, every start and every end since is told once, unless the task was
 * removed meanwhile, or the clock was set back while it ran; progress is told as it is now.
 */
export async function* watchTasks(
  home: string,
  { signal, after }: EventsOptions,
  indexOptions: IndexOptions = {},
): AsyncGenerator<TaskEvent> {
  const dir = ensurePrivateDir(holdfastPaths(home).runningDir);
  const cursor = after === undefined ? undefined : parseCursor(after);
  const telling = new Telling(cursor);
  // What a killed supervisor left in running/ is tidied away by whoever lists the tasks, which is a change there.
  telling.skipEnded(listRunning(home).flatMap((files) => (readEnding(files) && readTask(files)) ?? []));
  const watch = (): ChangeWatch => watchChanges([dir], { checkMs: taskCheckMs, signal });
  let watched = inodeOf(dir);
  let changes = watch();
  try {
    const since = tasksSince(home, cursor, indexOptions);
    telling.skipEnded(since);
    yield* telling.catchUp(since);
    for (let why = "check"; why !== "aborted"; why = await changes.next()) {
      telling.look();
      const names = new Set(changes.names);
      if (why === "check") {
        // A home that was removed, or replaced by another, is watched no longer.
        if (watched !== (watched = inodeOf(dir))) {
          changes.close();
          changes = watch();
        }
        for (const name of [...namesIn(dir), ...telling.openNames()]) names.add(name);
      }
      for (const name of names) {
        const files = filesOfName(home, name);
        if (!files || telling.isOver(files.id)) continue;
        const known = telling.find(files.id);
        if (known) yield* telling.progress(known);
        // Only the timed check also asks whether the supervisors of running tasks still live.
        if (why !== "check" && known && !readEnding(files)) continue;
        // One that was removed meanwhile has no record any more, but its start was told.
        const task = readTask(files) ?? (known && refreshed(known.task));
        if (task) yield* telling.tell(task);
      }
    }
  } finally {
    changes.close();
  }
}

function inodeOf(dir: string): number | undefined {
  return fs.statSync(dir, { throwIfNoEntry: false })?.ino;
}

/** The tasks that run, that ended since a moment (by default the last ones), and those whose end was not told. */
function tasksSince(home: string, cursor: EventCursor | undefined, indexOptions: IndexOptions): Task[] {
  const from = new Date((cursor?.at ?? Date.now()) - eventLagMs).toISOString();
  return askEnded(
    home,
    ({ ended, running }) => {
      const open = [...(cursor?.open.keys() ?? [])].flatMap((id) => ended.startingWith(id));
      const found = readEach(ended, [...ended.endedSince(from), ...open]);
      return [...new Map([...running, ...found].map((task) => [task.record.id, task])).values()];
    },
    indexOptions,
  );
}
