import path from "node:path";
import { agentStart, progressEvents, usageOf } from "../kinds/agent/agent-events.ts";
import { readProgress, type AgentProgress } from "../kinds/agent/agent-progress.ts";
import { readResult } from "../kinds/agent/agent-result.ts";
import { clientStatus, noticeOf } from "../notices/notices.ts";
import { isFinished, type FinishedTask, type Task } from "../record/task.ts";
import { eventLagMs, formatCursor, type EventCursor } from "./event-cursor.ts";
import { eventUuid, type EventDraft } from "./event-uuid.ts";
import type { TaskEvent } from "./task-event.ts";

/** A task whose start was told, and its progress as it was last told. */
interface OpenTask {
  task: Task;
  progress: AgentProgress | undefined;
  /** Of its end, the first event was told. */
  isUpdated: boolean;
}

/** Who was told what. An event is given when what it tells is noted, so that its cursor includes it. */
export class Telling {
  readonly #open = new Map<string, OpenTask>();
  readonly #over = new Set<string>();
  /** When those ended of which a cursor has to know. */
  readonly #recent = new Map<string, number>();
  readonly #before: EventCursor | undefined;
  /** Of the last look and of the one before: only what had happened by then was certainly seen. */
  #looks: [number, number];

  constructor(before: EventCursor | undefined) {
    this.#before = before;
    this.#looks = [before?.at ?? Date.now(), Date.now()];
    for (const id of before?.over ?? []) this.#noteOver(id, before!.at);
  }

  /** Before the files are looked at again. */
  look(): void {
    this.#looks = [this.#looks[1], Date.now()];
    for (const [id, endedAt] of this.#recent)
      if (endedAt < this.#looks[0] - eventLagMs) this.#recent.delete(id);
  }

  isOver(id: string): boolean {
    return this.#over.has(id);
  }

  find(id: string): OpenTask | undefined {
    return this.#open.get(id);
  }

  /** Of their files in running/. */
  openNames(): string[] {
    return [...this.#open.values()].map(({ task }) => path.basename(task.files.endingDraft));
  }

  /** What had ended before it begins, or so long before the cursor that it was told, is not mentioned. */
  skipEnded(tasks: readonly Task[]): void {
    for (const task of tasks.filter(isFinished)) {
      const { id } = task.record;
      const endedAt = Date.parse(task.state.endedAt);
      const isOld = !this.#before || (!this.#before.open.has(id) && endedAt < this.#before.at - eventLagMs);
      if (isOld || this.#over.has(id)) this.#noteOver(id, endedAt);
    }
  }

  /** What happened since the cursor, in order. */
  *catchUp(tasks: readonly Task[]): Generator<TaskEvent> {
    if (!this.#before) return;
    const { open, at } = this.#before;
    const happened: { at: number; tell: () => Generator<TaskEvent> }[] = [];
    for (const task of tasks) {
      const { id, startedAt } = task.record;
      const known = open.get(id);
      if (this.#over.has(id)) continue;
      if (known) this.#open.set(id, { task, progress: undefined, isUpdated: known.isUpdated });
      else happened.push({ at: Date.parse(startedAt), tell: () => this.#start(task) });
      if (isFinished(task))
        happened.push({ at: Date.parse(task.state.endedAt), tell: () => this.#end(task) });
    }
    // The start of a task was put in before its end, and the order of equals stays.
    for (const { tell } of happened.sort((a, b) => a.at - b.at)) yield* tell();
    const found = new Set(tasks.map(({ record }) => record.id));
    for (const id of open.keys()) if (!found.has(id)) yield* this.#removed(id, at);
  }

  /** What is new of a task that was just read. */
  *tell(task: Task): Generator<TaskEvent> {
    if (!this.#open.has(task.record.id)) yield* this.#start(task);
    if (isFinished(task)) yield* this.#end(task);
  }

  *progress(known: OpenTask): Generator<TaskEvent> {
    const { record, files } = known.task;
    const now = record.agent && readProgress(files);
    if (!now) return;
    const before = known.progress;
    known.progress = now;
    for (const event of progressEvents(record, { before, now }))
      yield this.#event(event, record.sessionId, `${now.updatedAt} ${now.tokens}`);
  }

  *#start(task: Task): Generator<TaskEvent> {
    const { record } = task;
    const known: OpenTask = { task, progress: undefined, isUpdated: false };
    this.#open.set(record.id, known);
    const started: EventDraft = {
      type: "system",
      subtype: "task_started",
      task_id: record.id,
      ...(record.toolUseId !== undefined && { tool_use_id: record.toolUseId }),
      task_type: record.kind,
      description: record.description,
      ...agentStart(record),
    };
    yield this.#event(started, record.sessionId);
    yield* this.progress(known);
  }

  *#end(task: FinishedTask): Generator<TaskEvent> {
    const { record, outputFile, files, state } = task;
    const { id, sessionId } = record;
    const known = this.#open.get(id);
    const status = clientStatus[state.status];
    if (known && !known.isUpdated) {
      known.isUpdated = true;
      const error = state.status === "lost" && { error: state.cause };
      const patch = { status, end_time: Date.parse(state.endedAt), ...error };
      yield this.#event({ type: "system", subtype: "task_updated", task_id: id, patch }, sessionId, "end");
    }
    this.#open.delete(id);
    this.#noteOver(id, Date.parse(state.endedAt));
    const result = record.agent && readResult(files);
    const notified: EventDraft = {
      type: "system",
      subtype: "task_notification",
      task_id: id,
      ...(record.toolUseId !== undefined && { tool_use_id: record.toolUseId }),
      status: state.status === "lost" ? "failed" : state.status,
      output_file: outputFile,
      summary: noticeOf(task).summary,
      ...(result && { usage: usageOf(result) }),
    };
    yield this.#event(notified, sessionId);
  }

  // Only what has ended can be removed; how it ended went with its files.
  *#removed(id: string, endedAt: number): Generator<TaskEvent> {
    this.#noteOver(id, endedAt);
    const summary = `Task ${id} has ended and was removed`;
    const notified = { type: "system", subtype: "task_notification", task_id: id, summary } as const;
    yield this.#event({ ...notified, status: "stopped", output_file: "" }, undefined);
  }

  #noteOver(id: string, endedAt: number): void {
    this.#over.add(id);
    if (endedAt >= this.#looks[0] - eventLagMs) this.#recent.set(id, endedAt);
  }

  #event(draft: EventDraft, sessionId: string | undefined, key = ""): TaskEvent {
    const cursor = { at: this.#looks[0], open: this.#open, over: new Set(this.#recent.keys()) };
    return {
      ...draft,
      uuid: eventUuid(draft, key),
      session_id: sessionId ?? "",
      cursor: formatCursor(cursor),
    };
  }
}
