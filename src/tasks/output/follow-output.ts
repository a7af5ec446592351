import { outputReadBytesMax } from "./limits.ts";
import { taskCheckMs } from "../../format/limits.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { refreshed, type Task } from "../record/task.ts";
import { isEnded } from "../record/task-state.ts";
import { readBytesFrom } from "./read-output.ts";

export interface FollowOutputOptions {
  stream?: "output" | "stderr" | undefined;
  /** The byte to begin at. */
  from?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The output as it is written, as text, until the task has ended and all of it was given. */
export async function* followOutput(task: Task, options: FollowOutputOptions = {}): AsyncGenerator<string> {
  // A character may come in two pieces.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const bytes of followBytes(task, options)) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

/** The same byte for byte. */
export async function* followBytes(
  task: Task,
  { stream = "output", from = 0, signal }: FollowOutputOptions = {},
): AsyncGenerator<Buffer> {
  const file = task.files[stream];
  const changes = watchChanges([file, task.files.endingDraft], { checkMs: taskCheckMs, signal });
  let offset = from;
  try {
    for (;;) {
      // Asked before reading: what was written before the ending is then certain to be read.
      const hasEnded = isEnded(refreshed(task).state);
      for (;;) {
        const { bytes, next } = readBytesFrom(file, { offset, bytesMax: outputReadBytesMax * 8 });
        offset = next;
        if (bytes.length === 0) break;
        yield bytes;
      }
      if (hasEnded || signal?.aborted) return;
      await changes.next();
    }
  } finally {
    changes.close();
  }
}
