import { restartTask } from "../../../runtime/restart-task.ts";
import { startedTaskView } from "../../../runtime/views/task-view.ts";
import { defineCommand, type Command } from "../command.ts";
import { parseVariable } from "../option-values.ts";
import { withProgress } from "../progress.ts";
import { followStarted } from "../tasks/show-output.ts";
import { taskLabel } from "../tasks/status-text.ts";
import { taskArgument } from "../tasks/task-argument.ts";

export const command: Command = defineCommand({
  arguments: [taskArgument],
  examples: [
    { line: "holdfast restart @last", text: "the newest command again; prints the new task's id" },
    { line: "holdfast restart build -f", text: "stop it if it runs, start it again and watch it" },
    { line: "holdfast restart b3kd -e TOKEN=…", text: "variables are never kept: give them again" },
  ],
  options: [
    {
      flags: "-e, --env <name=value>",
      text: "a variable for it; may be repeated",
      parse: parseVariable,
      isRepeatable: true,
    },
    {
      flags: "-f, --follow",
      text: "show its output until it ends and exit with its exit code; Ctrl+C leaves it running",
      conflicts: ["json"],
    },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const { tasks } = await context.runtime();
    const task = await tasks.find(id);
    const started = await withProgress(
      context,
      `Restarting ${taskLabel(task.record)}`,
      restartTask(tasks, task, {
        by: `cli:${context.environment.userName}`,
        env: options.env && Object.fromEntries(options.env),
      }),
    );
    if (options.follow) return followStarted(context, tasks, started);
    if (context.isJson) return context.writeJson(await startedTaskView(tasks, started));
    await context.output.write(`${started.record.id}\n`);
  },
});
