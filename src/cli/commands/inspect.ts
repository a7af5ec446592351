import { terminalLine } from "../../lib/terminal-text.ts";
import type { Command } from "../command.ts";
import { writeJsonObject } from "../json-output.ts";
import { makeStyle } from "../render/style.ts";
import { taskArgument } from "../tasks/task-argument.ts";
import { taskJson } from "../tasks/task-json.ts";

export const inspect: Command = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast inspect @last", text: "everything that is known of the newest task" },
    { line: "holdfast inspect build --json", text: "for programs" },
    { line: "holdfast inspect b3kd", text: "by the beginning of its id" },
  ],
  options: [],
  async run(context, { arguments: [id = ""], options }) {
    const tasks = await context.openTasks();
    const task = tasks.find(id);
    const { shell, launcher, toolUseId } = task.record;
    const facts: Record<string, unknown> = {
      ...taskJson(task),
      toolUseId: toolUseId ?? null,
      stderrFile: shell.merged ? null : task.files.stderr,
      recordFile: task.files.record,
      settings: shell,
      launcher: { pid: launcher.pid, host: launcher.host },
    };
    if (options.json) return writeJsonObject(context.output, facts);
    const style = makeStyle(context.environment.stdout);
    const width = Math.max(...Object.keys(facts).map((name) => name.length));
    for (const [name, value] of Object.entries(facts)) {
      if (value === null) continue;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      await context.output.write(`${style.dim(name.padEnd(width))}  ${terminalLine(text)}\n`);
    }
  },
};
