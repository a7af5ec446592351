import { signal, type Signal } from "@preact/signals";
import type { Answer } from "../api/route-shapes.ts";
import { onEvent } from "./event-bus.ts";

type TaskRow = Answer<"GET /api/tasks">["tasks"][number];
export const counts = signal<Answer<"GET /api/now">["counts"]>({
  needsYou: 0,
  running: 0,
  unseen: 0,
  lost: 0,
});

// The newest row of each task that is shown or was heard of. Bounded: the oldest is forgotten, and asked for when it is shown.
const rows = new Map<string, Signal<TaskRow>>();
const ROWS_MAX = 5000;

/** The row of a task as it is now, given one that was asked for. */
export function liveRow(row: TaskRow): Signal<TaskRow> {
  const known = rows.get(row.id);
  if (known) return known;
  const made = signal(row);
  rows.set(row.id, made);
  if (rows.size > ROWS_MAX) rows.delete(rows.keys().next().value!);
  return made;
}

/** Takes rows of an answer, which are newer than what was heard. */
export function noteRows(answered: readonly TaskRow[]): void {
  for (const row of answered) liveRow(row).value = row;
}

onEvent("task", ({ row }) => noteRows([row]));
onEvent("task-gone", ({ id }) => rows.delete(id));
onEvent("counts", (told) => (counts.value = told));
