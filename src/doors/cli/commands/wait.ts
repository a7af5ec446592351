import { tellQuestions } from "../agents/tell-questions.ts";
import { taskView } from "../../../runtime/views/task-view.ts";
import { defineCommand, type Command } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { parseDuration } from "../../../lib/parse-duration.ts";
import { withProgress } from "../progress.ts";
import { formatDuration, plural } from "../../../lib/quantities.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { endingText, taskLabel } from "../tasks/status-text.ts";
import { runningTaskArguments } from "../tasks/task-argument.ts";
import { tellEndings } from "../tasks/tell-endings.ts";

export const command: Command = defineCommand({
  arguments: [runningTaskArguments],
  examples: [
    { line: "holdfast wait @last", text: "until the newest task has ended; exits with its exit code" },
    { line: "holdfast wait build lint --any", text: "until one of the two has ended" },
    { line: "holdfast wait build --timeout 5m", text: "at most five minutes; 124 if it still runs" },
  ],
  options: [
    { flags: "--any", text: "until the first of them has ended" },
    { flags: "--timeout <time>", text: "give up after this time", parse: parseDuration },
  ],
  async run(context, { arguments: ids, options }) {
    const runtime = await context.runtime();
    const { tasks } = runtime;
    const wanted = await Promise.all(ids.map((id) => tasks.find(id)));
    const telling = tellQuestions(context, runtime, wanted);
    const { ended, waiting } = await withProgress(
      context,
      `Waiting for ${wanted.length === 1 ? taskLabel(wanted[0]!.record) : plural(wanted.length, "task")}`,
      tasks.waitFor(wanted, { any: options.any, timeoutMs: options.timeout }).finally(() => telling.abort()),
      { ifInterrupted: "The tasks keep running: holdfast ps" },
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
        tasks: [...ended.map(({ task, state }) => taskView({ ...task, state })), ...waiting.map(taskView)],
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
});
