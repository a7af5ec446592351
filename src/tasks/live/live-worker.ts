import { parentPort, workerData } from "node:worker_threads";
import { parseCursor } from "../events/event-cursor.ts";
import { watchTasks } from "../events/task-events.ts";
import { tasksWithId } from "../list/find-task.ts";
import { KnownRows } from "./known-rows.ts";
import type { LiveMessage, LiveRequest } from "./live-message.ts";
import { taskRow } from "./task-row.ts";
import { watchRows } from "./watch-rows.ts";

// The program of the thread that watches the tasks of a home. It ends with its process, or when it is terminated.
const { home } = workerData as { home: string };
const say = (message: LiveMessage): void => parentPort!.postMessage(message, []);
const rows = new KnownRows(home, (changes) => say({ kind: "rows", changes }));
const followers = new Map<number, AbortController>();

const kinds: Readonly<Record<string, "started" | "ended">> = {
  task_started: "started",
  task_notification: "ended",
};

parentPort!.on("message", (request: LiveRequest) => {
  if (request.kind === "leave") {
    followers.get(request.stream)?.abort();
    followers.delete(request.stream);
  } else void follow(request);
});
await watchRows(home, rows, {
  signal: new AbortController().signal,
  onComplete: () => say({ kind: "complete" }),
});

async function follow({ stream, after }: { stream: number; after: string | undefined }): Promise<void> {
  const leaving = new AbortController();
  followers.set(stream, leaving);
  const isResumed = after !== undefined && isCursor(after);
  const cursor = isResumed ? after : rows.cursor();
  say({ kind: "moment", stream, moment: { kind: "begin", cursor, isResumed } });
  for await (const event of watchTasks(home, { signal: leaving.signal, after: cursor })) {
    const kind = kinds[event.subtype];
    if (!kind) continue;
    // One that was removed meanwhile is told of apart.
    for (const task of tasksWithId(home, event.task_id).slice(0, 1))
      say({ kind: "moment", stream, moment: { kind, row: taskRow(task), cursor: event.cursor } });
  }
}

function isCursor(text: string): boolean {
  try {
    parseCursor(text);
    return true;
  } catch {
    return false;
  }
}
