import { isJsonObject } from "../../format/json-object.ts";

/** One thing to do, whichever tool wrote it down. */
export interface TodoItem {
  /** Absent in lists that TodoWrite wrote from 1.0.98 on. */
  id?: string;
  /** What is to be done: `content` of a to-do, `subject` of a task. */
  subject: string;
  /** Seen: `pending`, `in_progress`, `completed`. */
  status: string;
  description?: string;
  /** How it reads while it is being done. */
  activeForm?: string;
  /** Until 1.0.57. */
  priority?: string;
  owner?: string;
  /** Ids of the tasks that wait for this one. */
  blocks?: string[];
  blockedBy?: string[];
  metadata?: Record<string, unknown>;
}

/** An item of any era (to-dos with and without an id, tasks); undefined when it says neither what nor how far. */
export function parseTodoItem(value: unknown): TodoItem | undefined {
  if (!isJsonObject(value)) return undefined;
  const subject = value["subject"] ?? value["content"];
  const { status, metadata } = value;
  if (typeof subject !== "string" || typeof status !== "string") return undefined;
  const item: TodoItem = { subject, status };
  const id = value["id"];
  if (typeof id === "string" || typeof id === "number") item.id = String(id);
  for (const key of ["description", "activeForm", "priority", "owner"] as const) {
    const text = value[key];
    if (typeof text === "string") item[key] = text;
  }
  for (const key of ["blocks", "blockedBy"] as const) {
    const ids = value[key];
    if (Array.isArray(ids)) item[key] = ids.map(String);
  }
  if (isJsonObject(metadata)) item.metadata = metadata;
  return item;
}
