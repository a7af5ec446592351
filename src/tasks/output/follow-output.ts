import path from "node:path";
import { outputReadBytesMax, taskCheckMs } from "../../format/limits.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { refreshed, type Task } from "../task.ts";
import { isEnded } from "../task-state.ts";
import { readFrom } from "./read-output.ts";

export interface FollowOutputOptions {
  stream?: "output" | "stderr" | undefined;
  /** The byte to begin at. */
  from?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The output as it is written, until the task has ended and all of it was given. */
export async function* followOutput(
  task: Task,
  { stream = "output", from = 0, signal }: FollowOutputOptions = {},
): AsyncGenerator<string> {
  const file = task.files[stream];
  // The folder too: the ending is another file there.
  const changes = watchChanges([{ path: file }, { path: path.dirname(file) }], {
    checkMs: taskCheckMs,
    signal,
  });
  let offset = from;
  try {
    for (;;) {
      // Asked before reading: what was written before the ending is then certain to be read.
      const hasEnded = isEnded(refreshed(task).state);
      for (;;) {
        const { text, next } = readFrom(file, { offset, bytesMax: outputReadBytesMax * 8 });
        offset = next;
        if (text === "") break;
        yield text;
      }
      if (hasEnded || signal?.aborted) return;
      await changes.next();
    }
  } finally {
    changes.close();
  }
}
