import type {
  AgentTasks,
  PermissionAnswer,
  PermissionRequest,
  Runner,
  RunnerEnd,
  RunnerEvent,
  RunnerRequest,
} from "../../src/tasks/ports.ts";
import { basicEnv } from "./task-world.ts";

export interface RequestNotes {
  request: RunnerRequest;
  /** What was asked so far. */
  asked: PermissionRequest[];
}

/** A request for a runner, as the agent host would make it; answers come from `answer`, messages from `said`. */
export function runnerRequest(
  options: Partial<RunnerRequest> & {
    cwd: string;
    answer?: (
      request: PermissionRequest,
      signal: AbortSignal,
    ) => PermissionAnswer | Promise<PermissionAnswer>;
    /** What `takeMessages` gives, one list a call. */
    said?: string[][];
  },
): RequestNotes {
  const { answer = () => ({ behavior: "allow" }), said = [], ...given } = options;
  const asked: PermissionRequest[] = [];
  const prompt = given.prompt ?? "";
  const request: RunnerRequest = {
    messages: [{ role: "user", content: prompt }],
    prompt,
    env: basicEnv,
    async askPermission(question, signal) {
      asked.push(question);
      return answer(question, signal);
    },
    takeMessages: () => Promise.resolve(said.shift() ?? []),
    tasks: noTasks,
    ...given,
  };
  return { request, asked };
}

export interface Played {
  events: RunnerEvent[];
  end: RunnerEnd | undefined;
  error: unknown;
}

/** Pulls a runner to its end, one event after the other; what it threw is data. */
export async function play(
  runner: Runner,
  request: RunnerRequest,
  {
    signal = new AbortController().signal,
    onEvent = () => {},
  }: { signal?: AbortSignal; onEvent?: (event: RunnerEvent) => void | Promise<void> } = {},
): Promise<Played> {
  const events: RunnerEvent[] = [];
  try {
    const run = runner(request, signal);
    for (;;) {
      const { value, done } = await run.next();
      if (done) return { events, end: value, error: undefined };
      events.push(value);
      await onEvent(value);
    }
  } catch (error) {
    return { events, end: undefined, error };
  }
}

const refuse = (): Promise<never> => Promise.reject(new Error("This test has no tasks"));
const noTasks: AgentTasks = { startShell: refuse, startAgent: refuse, output: refuse, stop: refuse };
