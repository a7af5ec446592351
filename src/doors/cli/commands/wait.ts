import type { Tasks } from "../../../tasks/open-tasks.ts";
import type { Task } from "../../../tasks/record/task.ts";
import type { EndedTask } from "../../../tasks/record/wait-task.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { parseDuration } from "../option-values.ts";
import { withProgress } from "../progress.ts";
import { formatDuration, plural } from "../../../lib/quantities.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { endingText, taskLabel } from "../tasks/status-text.ts";
import { taskArguments } from "../tasks/task-argument.ts";
import { taskJson } from "../tasks/task-json.ts";
import { tellEndings } from "../tasks/tell-endings.ts";

interface WaitOptions {
  any?: boolean;
  timeout?: number;
}

export const command: Command<WaitOptions> = {
  arguments: [taskArguments],
  examples: [
    { line: "holdfast wait @last", text: "until the newest task has ended; ends with its exit code" },
    { line: "holdfast wait build lint --any", text: "until one of the two has" },
    { line: "holdfast wait build --timeout 5m", text: "at most five minutes; 124 if it still runs" },
  ],
  options: [
    { flags: "--any", text: "until the first of them has ended" },
    { flags: "--timeout <time>", text: "give up after this time", parse: parseDuration },
  ],
  async run(context, { arguments: ids, options }) {
    const { tasks } = await context.runtime();
    const wanted = await Promise.all(ids.map((id) => tasks.find(id)));
    const { ended, waiting } = await withProgress(
      context,
      `Waiting for ${wanted.length === 1 ? taskLabel(wanted[0]!.record) : plural(wanted.length, "task")}`,
      waitForTasks(tasks, wanted, options),
      { ifInterrupted: "What you waited for runs on: holdfast ps" },
    );
    tellEndings(
      context,
      tasks,
      ended.map(({ task }) => task),
    );
    const isTimeout = waiting.length > 0 && !(options.any && ended.length > 0);
    if (context.isJson) {
      await context.writeJson({
        timedOut: isTimeout,
        tasks: [...ended.map(({ task, state }) => taskJson({ ...task, state })), ...waiting.map(taskJson)],
      });
    } else {
      await context.writeLines(ended.map(({ task, state }) => `${task.record.id}  ${endingText(state)}`));
      if (isTimeout)
        context.say(
          `Not ended after ${formatDuration(options.timeout ?? 0)}: ${waiting.map(({ record }) => taskLabel(record)).join(", ")}`,
        );
    }
    if (isTimeout) return exitCodes.timeout;
    return ended.map(({ state }) => exitCodeOfEnding(state)).find((code) => code !== 0) ?? exitCodes.ok;
  },
};

/** A timer holds 31 bits; a longer wait is several. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Those that have ended, in the order in which they did, and those that had not when the time was up. */
async function waitForTasks(
  tasks: Tasks,
  wanted: readonly Task[],
  { any = false, timeout }: WaitOptions,
): Promise<{ ended: EndedTask[]; waiting: Task[] }> {
  const deadline = timeout === undefined ? undefined : performance.now() + timeout;
  const enough = any ? 1 : wanted.length;
  const ended: EndedTask[] = [];
  let waiting = [...wanted];
  while (ended.length < enough) {
    const left = deadline === undefined ? Infinity : Math.ceil(Math.max(0, deadline - performance.now()));
    const found = await tasks.waitAny(waiting, { timeoutMs: Math.min(left, TIMER_MS_MAX) });
    if (found.length === 0 && left <= TIMER_MS_MAX) break;
    ended.push(...found.toSorted((a, b) => Date.parse(a.state.endedAt) - Date.parse(b.state.endedAt)));
    waiting = waiting.filter((task) => !found.some((each) => each.task === task));
  }
  return { ended, waiting: await Promise.all(waiting.map((task) => tasks.refresh(task))) };
}
