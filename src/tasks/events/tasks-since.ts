import type { IndexOptions } from "../../store/index/derived-index.ts";
import { askEnded } from "../list/ask-ended.ts";
import { readEach } from "../list/list-tasks.ts";
import type { Task } from "../record/task.ts";
import { eventLagMs, type EventCursor } from "./event-cursor.ts";

/** The tasks that run, that ended since a moment (by default the last ones), and those whose end was not told. */
export function tasksSince(
  home: string,
  cursor: EventCursor | undefined,
  indexOptions: IndexOptions,
): Task[] {
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
