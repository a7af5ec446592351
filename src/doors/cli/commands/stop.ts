import { taskView } from "../../../runtime/views/task-view.ts";
import type { EndedTask, Task } from "../../../index.ts";
import { isEnded } from "../../../runtime/index.ts";
import { defineCommand, type Command } from "../command.ts";
import { parseDuration } from "../../../lib/parse-duration.ts";
import { withProgress } from "../progress.ts";
import { plural } from "../../../lib/quantities.ts";
import { endingText, taskLabel } from "../tasks/status-text.ts";
import { runningTaskArguments } from "../tasks/task-argument.ts";
import { tellEndings } from "../tasks/tell-endings.ts";

export const command: Command = defineCommand({
  arguments: [{ ...runningTaskArguments, pick: "running-task" }],
  examples: [
    { line: "holdfast stop @last", text: "the newest task and everything it started" },
    { line: "holdfast stop build lint --grace 30s", text: "give them half a minute to end by themselves" },
    { line: "holdfast stop b3kd --reason 'wrong branch'", text: "the reason is kept with the ending" },
  ],
  options: [
    { flags: "--grace <time>", text: "time between TERM and KILL (5s)", parse: parseDuration },
    { flags: "--reason <text>", text: "why, for the record" },
    {
      flags: "--force",
      text: "give up a task on another host or in another container: it counts as lost, and may still run",
    },
  ],
  async run(context, { arguments: ids, options }) {
    const { tasks } = await context.runtime();
    const found = await Promise.all(ids.map((id) => tasks.find(id)));
    const by = `cli:${context.environment.userName}`;
    const stopOne = async (task: Task): Promise<EndedTask> => ({
      task,
      state: await tasks.stop(task, {
        by,
        reason: options.reason,
        graceMs: options.grace,
        isForced: options.force,
      }),
    });
    // One that cannot be stopped must not keep the others from being stopped, and reported.
    const outcomes = await withProgress(
      context,
      `Stopping ${found.length === 1 ? taskLabel(found[0]!.record) : plural(found.length, "task")}`,
      Promise.allSettled(found.map(stopOne)),
    );
    const stopped = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    tellEndings(
      context,
      tasks,
      stopped.map(({ task }) => task),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (context.isJson && !failed) {
      return context.writeJson({
        tasks: stopped.map(({ task, state }) => taskView({ ...task, state })),
      });
    }
    for (const { task, state } of stopped)
      context.say(
        isEnded(task.state)
          ? `Task ${taskLabel(task.record)} had already ended: ${endingText(state)}.`
          : `Task ${taskLabel(task.record)} ${state.status === "stopped" ? "stopped" : endingText(state)}.`,
      );
    if (failed) throw failed.reason;
  },
});
