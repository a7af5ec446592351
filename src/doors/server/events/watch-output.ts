import { isEnded, type Tasks } from "../../../runtime/index.ts";
import type { ServerEvents, WatchBody } from "../api/index.ts";
import { outputBehindBytes, outputLookIdleMs, outputLookMs, outputSentBytes } from "../limits.ts";
import type { EventStream } from "./event-stream.ts";

/**
 * Tells a reader what one output gets, from a byte on, until it has ended or the signal comes. Looks at the file again and again:
 * a watch of the system would tell of each write, and there may be thousands a second. Who is too far behind goes on near the end.
 */
export async function watchOutput(
  stream: EventStream,
  { task: id, stream: of, from }: WatchBody["outputs"][number],
  { tasks, signal }: { tasks: Tasks; signal: AbortSignal },
): Promise<void> {
  const key = `output ${id} ${of}`;
  let task = await tasks.named(id);
  let sent = from;
  let idleFor = 0;
  const read = async (): Promise<{ name: "output"; data: ServerEvents["output"] } | undefined> => {
    const { bytes } = await tasks.window(task, { stream: of, from: sent, bytes: 1 });
    const begin = bytes - sent > outputBehindBytes ? bytes - outputSentBytes : sent;
    const window = await tasks.window(task, { stream: of, from: begin, bytes: outputSentBytes });
    if (window.to <= sent || signal.aborted) return undefined;
    sent = window.to;
    const { from: start, to, text } = window;
    return { name: "output", data: { task: id, stream: of, from: start, to, bytes: window.bytes, text } };
  };
  while (!signal.aborted) {
    // Asked before the file is: what was written before the end is certain to be read.
    const hasEnded = isEnded(task.state);
    const { bytes, to, isMissing } = await tasks.window(task, { stream: of, from: sent, bytes: 4 });
    // A file that was replaced by a shorter one begins anew.
    if (bytes < sent && !isMissing) sent = 0;
    const hasMore = to > sent;
    if (hasMore && !stream.isPending(key)) stream.push(key, read);
    if (!hasMore && hasEnded) return;
    idleFor = hasMore ? 0 : idleFor + 1;
    await pause(idleFor > IDLE_LOOKS ? outputLookIdleMs : outputLookMs, signal);
    if (idleFor % IDLE_LOOKS === 1) task = await tasks.refresh(task);
  }
}

/** So many looks at which nothing had come, and the next ones come less often. */
const IDLE_LOOKS = 30;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
