import path from "node:path";
import { taskCheckMs } from "../../format/limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Command, CommandContext } from "../command.ts";
import { writeJsonObject } from "../json-output.ts";
import { realDir } from "../real-dir.ts";
import { taskJson } from "../tasks/task-json.ts";
import { taskTable } from "../tasks/task-table.ts";

interface PsOptions {
  all?: boolean;
  project?: string;
  watch?: boolean;
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
    { flags: "-w, --watch", text: "refresh in place", conflicts: ["json"] },
  ],
  async run(context, { options }) {
    const { environment, output } = context;
    const cwd =
      options.project === undefined ? undefined : realDir(path.resolve(environment.cwd, options.project));
    const tasks = await context.openTasks();
    const query = { cwd, all: options.all };
    if (options.json) return writeJsonObject(output, { tasks: tasks.list(query).map(taskJson) });
    if (options.watch && environment.stdout.isTerminal) return watch(context, tasks, query);
    const found = tasks.list(query);
    if (found.length === 0) {
      context.say(
        options.all
          ? "No tasks. Start one: holdfast run -- npm test"
          : "Nothing runs. Ended tasks: holdfast ps -a",
      );
      return;
    }
    for (const line of taskTable(found, { environment, isAll: cwd === undefined }))
      await output.write(`${line}\n`);
  },
};

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const REDRAW = "\u001b[H\u001b[J";

// On a screen of its own, so that the terminal is as it was afterwards, also after Ctrl+C.
async function watch(
  { environment, output }: CommandContext,
  tasks: Tasks,
  query: { cwd: string | undefined; all: boolean | undefined },
): Promise<void> {
  process.once("exit", () => process.stdout.write(LEAVE));
  await output.write(ENTER);
  const changes = watchChanges([{ path: holdfastPaths(environment.home).projectsDir, recursive: true }], {
    checkMs: taskCheckMs,
  });
  for (;;) {
    const { columns, rows } = process.stdout;
    const screen = { ...environment, stdout: { ...environment.stdout, columns } };
    const lines = taskTable(tasks.list(query), { environment: screen, isAll: query.cwd === undefined });
    const shown =
      lines.length > rows - 1 ? [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more`] : lines;
    await output.write(`${REDRAW}${shown.join("\n")}`);
    await output.flush();
    await changes.next();
  }
}
