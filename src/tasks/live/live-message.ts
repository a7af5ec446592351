import type { RowChanges } from "./known-rows.ts";
import type { TaskRow } from "./task-row.ts";

/** What the thread that watches the tasks tells. */
export type LiveMessage =
  | { kind: "rows"; changes: RowChanges }
  /** Every task was told of. */
  | { kind: "complete" }
  | { kind: "moment"; stream: number; moment: TaskMoment };

/** What it is asked. */
export type LiveRequest =
  | { kind: "follow"; stream: number; after: string | undefined }
  | { kind: "leave"; stream: number };

/** A start or an end, for who goes on after it. */
export type TaskMoment =
  /** First of all: from where on every start and end comes once. False where the cursor that was given is none. */
  | { kind: "begin"; cursor: string; isResumed: boolean }
  | { kind: "started" | "ended"; row: TaskRow; cursor: string };
