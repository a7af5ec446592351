import type { EndedTask } from "../../tasks/wait-task.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeJsonObject } from "../json-output.ts";
import { parseDuration } from "../option-values.ts";
import { withProgress } from "../progress.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { taskArguments } from "../tasks/task-argument.ts";
import { taskJson } from "../tasks/task-json.ts";
import { statusText } from "../tasks/task-table.ts";

interface WaitOptions {
  any?: boolean;
  timeout?: number;
}

export const wait: Command<WaitOptions> = {
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
    const tasks = await context.openTasks();
    let waiting = ids.map((id) => tasks.find(id));
    const deadline = options.timeout === undefined ? undefined : Date.now() + options.timeout;
    const ended: EndedTask[] = [];
    while (waiting.length > 0 && !(options.any && ended.length > 0)) {
      const timeoutMs = deadline === undefined ? undefined : Math.max(0, deadline - Date.now());
      const found = await withProgress(
        context,
        `Waiting for ${waiting.length}`,
        tasks.waitAny(waiting, { timeoutMs }),
      );
      if (found.length === 0) break;
      ended.push(...found);
      waiting = waiting.filter((task) => !found.some((each) => each.task === task));
    }
    const isTimeout = waiting.length > 0 && !(options.any && ended.length > 0);
    if (options.json) {
      await writeJsonObject(context.output, {
        timedOut: isTimeout,
        tasks: [...ended.map(({ task, state }) => taskJson({ ...task, state })), ...waiting.map(taskJson)],
      });
    } else
      for (const { task, state } of ended)
        await context.output.write(`${task.record.id}  ${statusText(state)}\n`);
    if (isTimeout) return exitCodes.timeout;
    return ended.map(({ state }) => exitCodeOfEnding(state)).find((code) => code !== 0) ?? exitCodes.ok;
  },
};
