import { answeredView } from "../../../runtime/answer-question.ts";
import { attentionCounts } from "../../../runtime/views/now-view.ts";
import { questionView } from "../../../runtime/views/question-view.ts";
import { taskRowView } from "../../../runtime/views/task-row-view.ts";
import type { TaskRow } from "../../../tasks/live/task-row.ts";
import type { ServerEvents } from "../api/index.ts";
import { countsMs } from "../limits.ts";
import type { EventStream } from "./event-stream.ts";
import type { StreamsWorld } from "./streams-world.ts";

type TaskEvent = ServerEvents["task"];

/** Tells a reader of every task: its starts and ends, each once, its changes, questions and answers, and the counts. */
export async function tellTasks(
  stream: EventStream,
  { world, after, signal }: { world: StreamsWorld; after: string | undefined; signal: AbortSignal },
  onBegin: (begin: { cursor: string; isResumed: boolean }) => void,
): Promise<void> {
  const { live } = world;
  const questions = new Questions(stream, world);
  // What there is when it begins is asked for; told is what changes.
  questions.know(await live.all());
  let countsTimer: NodeJS.Timeout | undefined;
  let told = "";
  const pushCounts = (): void =>
    stream.push("counts", async () => {
      const data = attentionCounts(await live.all());
      const isNews = told !== JSON.stringify(data);
      told = JSON.stringify(data);
      return isNews ? { name: "counts", data } : undefined;
    });
  const tellCounts = (): void => {
    countsTimer ??= setTimeout(() => {
      countsTimer = undefined;
      pushCounts();
    }, countsMs);
  };
  const leave = live.onChange(({ changed, gone }) => {
    for (const row of changed) tellRow(stream, { is: "changed", row: taskRowView(row) });
    for (const id of gone) stream.push(`task ${id}`, { name: "task-gone", data: { id } });
    questions.look(changed, gone);
    tellCounts();
  });
  try {
    for await (const moment of live.follow(after, { signal })) {
      if (moment.kind === "begin") {
        onBegin(moment);
        pushCounts();
      } else tellRow(stream, { is: moment.kind, row: taskRowView(moment.row) }, moment.cursor);
    }
  } finally {
    leave();
    clearTimeout(countsTimer);
  }
}

// A start or an end is not lost when a change comes before it was taken; an end says all that a start does.
function tellRow(stream: EventStream, event: TaskEvent, cursor?: string): void {
  const key = `task ${event.row.id}`;
  const waiting = stream.waiting(key, "task");
  const is = event.is === "changed" ? (waiting?.data.is ?? "changed") : event.is;
  const id = cursor ?? waiting?.id;
  stream.push(key, { name: "task", data: { is, row: event.row }, id }, { isLast: cursor !== undefined });
}

/** Who asks now, to tell what is asked and answered. */
class Questions {
  readonly #stream: EventStream;
  readonly #world: StreamsWorld;
  readonly #asked = new Map<string, string>();

  constructor(stream: EventStream, world: StreamsWorld) {
    this.#stream = stream;
    this.#world = world;
  }

  /** What the reader asks for itself when it begins. */
  know(rows: readonly TaskRow[]): void {
    for (const row of rows) {
      const requestId = requestOf(row);
      if (requestId !== undefined) this.#asked.set(row.id, requestId);
    }
  }

  look(changed: readonly TaskRow[], gone: readonly string[]): void {
    for (const row of changed) {
      const [before, now] = [this.#asked.get(row.id), requestOf(row)];
      if (before === now) continue;
      if (before !== undefined) this.#tellAnswered(row.id, before);
      if (now === undefined) this.#asked.delete(row.id);
      else this.#tellAsked(row, now);
    }
    for (const id of gone) {
      const before = this.#asked.get(id);
      if (before !== undefined) this.#tellAnswered(id, before);
      this.#asked.delete(id);
    }
  }

  #tellAsked(row: TaskRow, requestId: string): void {
    this.#asked.set(row.id, requestId);
    this.#stream.push(`asked ${requestId}`, async () => {
      const question = await questionView(row);
      return question && { name: "asked", data: { question } };
    });
  }

  #tellAnswered(taskId: string, requestId: string): void {
    const { agents, tasks } = this.#world.runtime;
    this.#stream.push(`answered ${requestId}`, async () => {
      const file = await tasks
        .named(taskId)
        .then((task) => agents.answered(task, requestId))
        // With the task everything of its question is gone.
        .catch(() => undefined);
      const answered = file ? answeredView(taskId, requestId, file, { isYours: false }) : null;
      return { name: "answered", data: { taskId, requestId, answered } };
    });
  }
}

function requestOf({ state }: TaskRow): string | undefined {
  return state.status === "running" ? state.needsInput?.requestId : undefined;
}
