import { taskView } from "../../../runtime/views/task-view.ts";
import { tasksShownMax } from "../limits.ts";
import { defineCommand, type Command } from "../command.ts";
import { cliError } from "../errors.ts";
import { parseCount } from "../option-values.ts";
import { realDir } from "../real-dir.ts";
import { asksForEnded, shownKinds, shownStatuses, taskFilter } from "../tasks/task-filter.ts";
import { taskTable } from "../tasks/task-table.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast ps", text: "what runs now, in every project" },
    { line: "holdfast ps --status failed --project .", text: "what failed in this project" },
    { line: "holdfast ps --watch", text: "refresh in place until Ctrl+C" },
  ],
  options: [
    { flags: "-a, --all", text: "ended tasks, too" },
    { flags: "-p, --project <dir>", text: "only tasks of this working directory", kind: "folder" },
    { flags: "-n, --limit <n>", text: "only the newest n", parse: parseCount },
    {
      flags: "--status <status>",
      text: "only tasks with this status, ended ones included; may be repeated",
      choices: shownStatuses,
      isRepeatable: true,
    },
    {
      flags: "--kind <kind>",
      text: "only commands, or only agents",
      choices: shownKinds,
      isRepeatable: true,
    },
    { flags: "--name <text>", text: "only tasks with this in their name" },
    { flags: "-q, --quiet", text: "only ids, one per line", conflicts: ["json"] },
    { flags: "-w, --watch", text: "refresh in place", conflicts: ["json", "quiet"] },
  ],
  async run(context, { options }) {
    const { environment, output } = context;
    const cwd = options.project === undefined ? undefined : realDir(environment.cwd, options.project);
    const { tasks } = await context.runtime();
    const { limit } = options;
    const all = options.all || asksForEnded(options.status);
    const query = { cwd, all, limit, isWanted: taskFilter(options) };
    if (context.isJson)
      return context.writeJson({ tasks: (await tasks.list(query)).map((task) => taskView(task)) });
    const isAll = cwd === undefined;
    if (options.watch) {
      if (!environment.stdout.isTerminal) {
        throw cliError("usage", "Cannot watch: the output is not a terminal; follow with holdfast events");
      }
      const { watchTasks } = await import("../tasks/watch-tasks.ts");
      return watchTasks(context, { tasks, query, isAll });
    }
    // A window holds some dozens of lines; a pipe takes them all.
    const isCut = all && limit === undefined && environment.stdout.isTerminal && !options.quiet;
    const found = await tasks.overview(isCut ? { ...query, limit: tasksShownMax + 1 } : query);
    if (options.quiet) return output.write(found.map(({ id }) => `${id}\n`).join(""));
    if (found.length === 0) {
      return context.say(
        query.isWanted
          ? "No such tasks."
          : all
            ? "No tasks. Start one: holdfast run -- npm test"
            : "Nothing runs. Ended tasks: holdfast ps -a",
      );
    }
    const shown = isCut ? found.slice(0, tasksShownMax) : found;
    await context.writeLines(taskTable(shown, { environment, isAll }));
    if (shown.length < found.length)
      context.say(`Showing the newest ${shown.length}; ask for more with --limit.`);
  },
});
