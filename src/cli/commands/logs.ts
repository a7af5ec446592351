import { terminalText } from "../../lib/terminal-text.ts";
import { readTail } from "../../tasks/output/read-output.ts";
import type { Task } from "../../tasks/task.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Command, CommandContext } from "../command.ts";
import { writeJsonObject } from "../json-output.ts";
import { parseCount } from "../option-values.ts";
import { taskArgument } from "../tasks/task-argument.ts";

interface LogsOptions {
  follow?: boolean;
  tail?: number;
  stderr?: boolean;
}

type Stream = "output" | "stderr";

/** How much of the end is looked at for the last lines. */
const TAIL_BYTES = 4 * 1024 * 1024;

export const logs: Command<LogsOptions> = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast logs @last -f", text: "follow the newest task until it ends" },
    { line: "holdfast logs build --tail 20", text: "its last 20 lines" },
    { line: "holdfast logs b3kd --stderr", text: "only what it wrote to stderr" },
  ],
  options: [
    { flags: "-f, --follow", text: "go on until the task ends" },
    { flags: "-n, --tail <n>", text: "only the last n lines", parse: parseCount },
    { flags: "--stderr", text: "only stderr" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const tasks = await context.openTasks();
    const task = tasks.find(id);
    const streams: Stream[] = options.stderr
      ? ["stderr"]
      : task.record.shell.merged
        ? ["output"]
        : ["output", "stderr"];
    if (options.json) {
      const read = (stream: Stream): string =>
        readTail(task.files[stream], { bytesMax: TAIL_BYTES, lines: options.tail }).text;
      return writeJsonObject(context.output, {
        id: task.record.id,
        stdout: read("output"),
        stderr: task.record.shell.merged ? "" : read("stderr"),
      });
    }
    await Promise.all(streams.map((stream) => writeStream({ context, tasks, task, stream, options })));
  },
};

interface StreamCall {
  context: CommandContext;
  tasks: Tasks;
  task: Task;
  stream: Stream;
  options: LogsOptions;
}

// What the task wrote to its stderr goes to ours, unless it was asked for alone.
async function writeStream({ context, tasks, task, stream, options }: StreamCall): Promise<void> {
  const isErrors = stream === "stderr" && !options.stderr;
  const screen = isErrors ? context.environment.stderr : context.environment.stdout;
  const write = async (text: string): Promise<void> => {
    // A terminal obeys what it is shown; a pipe gets the bytes as they are.
    const shown = screen.isTerminal ? terminalText(text) : text;
    if (isErrors) process.stderr.write(shown);
    else {
      await context.output.write(shown);
      await context.output.flush();
    }
  };
  let from = 0;
  if (options.tail !== undefined) {
    const tail = readTail(task.files[stream], { bytesMax: TAIL_BYTES, lines: options.tail });
    await write(tail.text);
    from = tail.totalBytes;
  }
  if (options.tail !== undefined && !options.follow) return;
  const abort = new AbortController();
  if (!options.follow) abort.abort();
  for await (const text of tasks.followOutput(task, { stream, from, signal: abort.signal }))
    await write(text);
}
