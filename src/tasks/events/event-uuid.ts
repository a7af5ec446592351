import { createHash, type UUID } from "node:crypto";
import type { TaskEvent } from "./task-event.ts";

/** An event before it gets what every event has. */
export type EventDraft = TaskEvent extends infer Event
  ? Event extends TaskEvent
    ? Omit<Event, "uuid" | "session_id" | "cursor">
    : never
  : never;

/** The same for the same event, whoever tells it: who gets one twice by other ways can drop it. */
export function eventUuid({ task_id: id, subtype }: EventDraft, key: string): UUID {
  const hex = createHash("sha256").update(`${id} ${subtype} ${key}`).digest("hex");
  // Version 8, for ids that are made by rules of one's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
