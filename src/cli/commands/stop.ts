import { terminalLine } from "../../lib/terminal-text.ts";
import type { Task } from "../../tasks/task.ts";
import type { Command } from "../command.ts";
import { writeJsonObject } from "../json-output.ts";
import { parseDuration } from "../option-values.ts";
import { withProgress } from "../progress.ts";
import { taskArguments } from "../tasks/task-argument.ts";
import { taskJson } from "../tasks/task-json.ts";
import { statusText } from "../tasks/task-table.ts";

interface StopOptions {
  grace?: number;
  reason?: string;
}

export const stop: Command<StopOptions> = {
  arguments: [taskArguments],
  examples: [
    { line: "holdfast stop @last", text: "the newest task and everything it started" },
    { line: "holdfast stop build lint --grace 30s", text: "leave them half a minute to end by themselves" },
    { line: "holdfast stop b3kd --reason 'wrong branch'", text: "the reason is kept with the ending" },
  ],
  options: [
    { flags: "--grace <time>", text: "between asking (TERM) and killing (5s)", parse: parseDuration },
    { flags: "--reason <text>", text: "why, for the record" },
  ],
  async run(context, { arguments: ids, options }) {
    const tasks = await context.openTasks();
    const found = ids.map((id) => tasks.find(id));
    const by = `cli:${context.environment.userName}`;
    const stopOne = async (task: Task): Promise<Task> => {
      const state = await tasks.stop(task, { by, reason: options.reason, graceMs: options.grace });
      return { record: task.record, files: task.files, state };
    };
    const stopped = await withProgress(context, "Stopping", Promise.all(found.map(stopOne)));
    if (options.json) return writeJsonObject(context.output, { tasks: stopped.map(taskJson) });
    for (const { record, state } of stopped)
      context.say(`Task ${record.id}: ${terminalLine(statusText(state))}`);
  },
};
