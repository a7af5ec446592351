import { outputReadBytesMax } from "./limits.ts";
import { taskCheckMs } from "../../format/limits.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { refreshed, type Task } from "../record/task.ts";
import { isEnded } from "../record/task-state.ts";
import { lastLinesOffset, readBytesFrom, readFrom } from "./read-output.ts";

/** Of a task whose streams are merged, everything is in stdout. */
export type OutputStream = "stdout" | "stderr";

export interface FollowOutputOptions {
  /** Only this one; by default both. */
  stream?: OutputStream | undefined;
  /** The byte of each stream to begin at. */
  from?: Partial<Record<OutputStream, number>> | undefined;
  signal?: AbortSignal | undefined;
}

export interface OutputPiece {
  stream: OutputStream;
  /** Whole characters. */
  text: string;
  /** The byte of the stream behind it: who begins there sees what comes next, and nothing twice. */
  offset: number;
}

/** The output as it is written, as text, until the task has ended and all of it was given. */
export async function* followOutput(
  task: Task,
  { stream, from = {}, signal }: FollowOutputOptions = {},
): AsyncGenerator<OutputPiece> {
  const streams = stream ? [stream] : streamsOf(task);
  const offsets = new Map(streams.map((each) => [each, from[each] ?? 0]));
  for await (const hasEnded of looks(task, { streams, signal })) {
    for (const [each, begun] of offsets) {
      for (let offset = begun; ;) {
        const read = { offset, bytesMax: outputReadBytesMax, isFinal: hasEnded };
        const { text, next } = readFrom(outputFileOf(task, each), read);
        if (text === "" && next === offset) break;
        offset = next;
        offsets.set(each, offset);
        if (text !== "") yield { stream: each, text, offset };
      }
    }
  }
}

export interface FollowBytesOptions {
  stream: OutputStream;
  /** Begin with the last so many lines; by default with the first byte. */
  lastLines?: number | undefined;
  /** Begin at this byte. */
  from?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** One stream byte for byte, for who decodes or passes it on himself. */
export async function* followBytes(
  task: Task,
  { stream, lastLines, from = 0, signal }: FollowBytesOptions,
): AsyncGenerator<Buffer> {
  const file = outputFileOf(task, stream);
  let offset = lastLines === undefined ? from : lastLinesOffset(file, lastLines);
  for await (const _ of looks(task, { streams: [stream], signal })) {
    for (;;) {
      const { bytes, next } = readBytesFrom(file, { offset, bytesMax: outputReadBytesMax * 8 });
      offset = next;
      if (bytes.length === 0) break;
      yield bytes;
    }
  }
}

/** The streams of a task that have a file of their own. */
export function streamsOf({ record }: Pick<Task, "record">): OutputStream[] {
  return record.shell.merged ? ["stdout"] : ["stdout", "stderr"];
}

export function outputFileOf({ files }: Pick<Task, "files">, stream: OutputStream): string {
  return stream === "stdout" ? files.output : files.stderr;
}

// Each time that there may be more to read, whether the task has ended: asked before reading, so that what was written
// before the ending is certain to be read.
async function* looks(
  task: Task,
  { streams, signal }: { streams: readonly OutputStream[]; signal: AbortSignal | undefined },
): AsyncGenerator<boolean> {
  const files = streams.map((each) => outputFileOf(task, each));
  const changes = watchChanges([...files, task.files.endingDraft], { checkMs: taskCheckMs, signal });
  try {
    for (;;) {
      const hasEnded = isEnded(refreshed(task).state);
      yield hasEnded;
      if (hasEnded || signal?.aborted) return;
      await changes.next();
    }
  } finally {
    changes.close();
  }
}
