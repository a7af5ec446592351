import { messageOf } from "../../../lib/errors.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Runtime } from "../../../runtime/index.ts";
import type { Environment } from "../environment.ts";
import { lookAtTask } from "../conversation/look-at-task.ts";
import { tasksShownMax } from "../limits.ts";
import { openFullScreen } from "../screen/full-screen.ts";
import {
  initialTop,
  pressTop,
  questionOf,
  selectedTask,
  withTasks,
  type TopIntent,
  type TopState,
} from "./top-state.ts";
import { topLines } from "./top-view.ts";

/** What runs and what it prints changes all the time; faster than this nobody reads. */
const LOOK_EACH_MS = 500;
/** A key that comes sooner after a question was meant for something else. */
const READ_MS = 300;

/** Shows tasks, their questions and their output until the person leaves; does to them what keys ask for. */
export async function runTop(runtime: Runtime, environment: Environment): Promise<void> {
  let state: TopState = initialTop;
  const { tasks, agents } = runtime;
  const by = `cli:${environment.userName}`;
  // When each question came to the screen.
  const askedAtMs = new Map<string, number>();
  const set = (change: Partial<TopState>): void => {
    state = { ...state, ...change };
    const asked = questionOf(selectedTask(state))?.requestId;
    if (asked !== undefined && !askedAtMs.has(asked)) askedAtMs.set(asked, performance.now());
    screen.draw(topLines(state, { ...screen.size, environment }));
  };
  const look = async (): Promise<void> => {
    const found = await tasks.overview({ all: state.isAll, limit: state.isAll ? tasksShownMax : undefined });
    state = withTasks(state, found);
    const task = selectedTask(state);
    const said = task
      ? await lookAtTask(runtime, await tasks.find(task.id), screen.size).catch(() => [])
      : [];
    // Somebody may have gone on to another one meanwhile.
    if (selectedTask(state)?.id === task?.id) set({ said });
  };
  const act = async (intent: Exclude<TopIntent, { kind: "leave" }>): Promise<void> => {
    if (intent.kind === "stop") {
      set({ message: `Stopping ${intent.id}…` });
      const ended = await tasks.stop(intent.id, { by });
      set({ message: `${intent.id}: ${ended.status}` });
    } else if (intent.kind === "answer") {
      const { id, requestId, isAllowed } = intent;
      if (performance.now() - (askedAtMs.get(requestId) ?? Infinity) < READ_MS)
        return set({ message: "The question has just appeared: read it, then answer" });
      const answer = isAllowed
        ? ({ behavior: "allow" } as const)
        : ({ behavior: "deny", message: "The user denied it." } as const);
      const { title } = await agents.answer(id, { requestId, answer, by });
      set({ message: `${isAllowed ? "Allowed" : "Denied"}: ${terminalLine(title)}` });
    }
    await look();
  };
  const attempt = (work: Promise<void>): void =>
    void work.catch((error: unknown) => set({ message: terminalLine(messageOf(error)) }));
  let leave = (): void => {};
  const screen = openFullScreen({
    input: process.stdin,
    output: process.stdout,
    isAsciiOnly: environment.isAsciiOnly,
    onKey(key) {
      const { state: next, intent } = pressTop(state, key);
      if (intent?.kind === "leave") return leave();
      set(next);
      if (intent) attempt(act(intent));
    },
    onResize: () => set({}),
  });
  set({});
  attempt(look());
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    attempt(look().finally(() => (isLooking = false)));
  }, LOOK_EACH_MS);
  await new Promise<void>((resolve) => (leave = resolve));
  clearInterval(timer);
  screen.close();
}
