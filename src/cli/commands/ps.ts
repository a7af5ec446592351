import path from "node:path";
import { tasksShownMax } from "../../format/limits.ts";
import type { Command } from "../command.ts";
import { cliError } from "../errors.ts";
import { writeJsonObject } from "../json-output.ts";
import { parseCount } from "../option-values.ts";
import { realDir } from "../real-dir.ts";
import { taskJson } from "../tasks/task-json.ts";
import { taskTable } from "../tasks/task-table.ts";

interface PsOptions {
  all?: boolean;
  project?: string;
  limit?: number;
  watch?: boolean;
  quiet?: boolean;
}

export const ps: Command<PsOptions> = {
  arguments: [],
  examples: [
    { line: "holdfast ps", text: "what runs now, in every project" },
    { line: "holdfast ps -a --project .", text: "ended ones too, of this project" },
    { line: "holdfast ps --watch", text: "refresh in place until Ctrl+C" },
  ],
  options: [
    { flags: "-a, --all", text: "ended tasks too" },
    { flags: "-p, --project <dir>", text: "only tasks of this working directory" },
    { flags: "-n, --limit <n>", text: "only the newest n", parse: parseCount },
    { flags: "-q, --quiet", text: "only ids, one a line", conflicts: ["json"] },
    { flags: "-w, --watch", text: "refresh in place", conflicts: ["json", "quiet"] },
  ],
  async run(context, { options }) {
    const { environment, output } = context;
    const cwd =
      options.project === undefined ? undefined : realDir(path.resolve(environment.cwd, options.project));
    const tasks = await context.openTasks();
    const list = (limit = options.limit) => tasks.list({ cwd, all: options.all }).slice(0, limit);
    if (options.json) return writeJsonObject(output, { tasks: list().map((task) => taskJson(task)) });
    const isAll = cwd === undefined;
    if (options.watch) {
      if (!environment.stdout.isTerminal) {
        throw cliError("usage", "Cannot watch: the output is no terminal; follow with holdfast events");
      }
      const { watchTasks } = await import("../tasks/watch-tasks.ts");
      return watchTasks(context, { list, isAll });
    }
    const found = list();
    if (options.quiet) return output.write(found.map(({ record }) => `${record.id}\n`).join(""));
    if (found.length === 0) {
      return context.say(
        options.all
          ? "No tasks. Start one: holdfast run -- npm test"
          : "Nothing runs. Ended tasks: holdfast ps -a",
      );
    }
    // A window holds some dozens of lines; a pipe takes them all.
    const isCut = options.all && options.limit === undefined && environment.stdout.isTerminal;
    const shown = isCut ? found.slice(0, tasksShownMax) : found;
    for (const line of taskTable(shown, { environment, isAll })) await output.write(`${line}\n`);
    await output.flush();
    if (shown.length < found.length)
      context.say(`Showing the newest ${shown.length} of ${found.length}; ask for more with --limit.`);
  },
};
