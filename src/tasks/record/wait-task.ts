import { taskCheckMs } from "../../format/limits.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { readEnding } from "./read-state.ts";
import { refreshed, type Task } from "./task.ts";
import { isEnded, type EndedState } from "./task-state.ts";

export interface WaitOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

/** A task and its ending, or undefined when the time was up or the signal came first. */
export async function waitForEnd(task: Task, options: WaitOptions = {}): Promise<EndedState | undefined> {
  const [ended] = await waitForAny([task], options);
  return ended?.state;
}

export interface EndedTask {
  task: Task;
  state: EndedState;
}

/** The first of several tasks that has ended (all that had, if several); empty on timeout or abort. */
export async function waitForAny(
  tasks: readonly Task[],
  { signal, timeoutMs }: WaitOptions = {},
): Promise<EndedTask[]> {
  const ended = (look: (task: Task) => EndedState | undefined): EndedTask[] =>
    tasks.flatMap((task) => {
      const state = look(task);
      return state ? [{ task, state }] : [];
    });
  // The slow look also finds supervisors that died without an ending.
  const lookSlowly = (task: Task): EndedState | undefined => {
    const { state } = refreshed(task);
    return isEnded(state) ? state : undefined;
  };
  const deadline = timeoutMs === undefined ? undefined : timeoutSignal(timeoutMs);
  const stop = AbortSignal.any([signal, deadline].filter((each) => each !== undefined));
  // Watched before the first look, so that an ending written in between is told. Not the folder: in there every line
  // that a task prints is a change.
  const changes = watchChanges(
    tasks.map(({ files }) => files.endingDraft),
    { checkMs: taskCheckMs, signal: stop },
  );
  try {
    for (let why = "check"; ; why = await changes.next()) {
      const found = ended(why === "change" ? ({ files }) => readEnding(files) : lookSlowly);
      if (found.length > 0 || why === "aborted" || timeoutMs === 0) return found;
    }
  } finally {
    changes.close();
  }
}

export interface SeveralOptions {
  /** Until the first has ended; by default until all have. */
  any?: boolean | undefined;
  timeoutMs?: number | undefined;
}

/** The tasks that have ended, in order, and the tasks that had not ended when the time was up. */
export interface WaitedFor {
  ended: EndedTask[];
  waiting: Task[];
}

export async function waitForSeveral(
  wanted: readonly Task[],
  { any = false, timeoutMs = Infinity }: SeveralOptions = {},
): Promise<WaitedFor> {
  const deadline = performance.now() + timeoutMs;
  const enough = any ? 1 : wanted.length;
  const ended: EndedTask[] = [];
  let waiting = [...wanted];
  while (ended.length < enough) {
    const left = Math.max(0, deadline - performance.now());
    // A timer holds 31 bits; a longer wait is several.
    const found = await waitForAny(waiting, { timeoutMs: Math.min(left, TIMER_MS_MAX) });
    if (found.length === 0 && left <= TIMER_MS_MAX) break;
    ended.push(...found.toSorted((a, b) => Date.parse(a.state.endedAt) - Date.parse(b.state.endedAt)));
    waiting = waiting.filter((task) => !found.some((each) => each.task === task));
  }
  return { ended, waiting: waiting.map(refreshed) };
}

const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * A signal after some time. The system's timers take whole milliseconds, and no more than they can count; who waits
 * longer waits forever.
 */
export function timeoutSignal(timeoutMs: number): AbortSignal | undefined {
  if (!(timeoutMs >= 0)) throw new RangeError(`Cannot wait ${timeoutMs} ms`);
  return timeoutMs > TIMER_MS_MAX ? undefined : AbortSignal.timeout(Math.ceil(timeoutMs));
}
