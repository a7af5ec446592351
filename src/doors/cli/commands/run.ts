import { startedTaskView, taskView } from "../../../runtime/views/task-view.ts";
import { shellWord } from "../../../lib/shell-quote.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { usageError } from "../errors.ts";
import { parseDuration } from "../../../lib/parse-duration.ts";
import { parseSize } from "../../../lib/parse-size.ts";
import { parseCount, parseVariable } from "../option-values.ts";
import { withProgress } from "../progress.ts";
import { realDir } from "../real-dir.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { endingText, taskLabel } from "../tasks/status-text.ts";
import { followStarted } from "../tasks/show-output.ts";
import { tellEndings } from "../tasks/tell-endings.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      name: "command",
      text: "one argument is a line for your shell; several are a program and its arguments",
      kind: "command",
      isVariadic: true,
    },
  ],
  examples: [
    { line: "holdfast run -- npm test", text: "prints the task's id; the command outlives this terminal" },
    {
      line: "holdfast run --name build --timeout 10m 'make && make check'",
      text: "a shell line, with a name and a limit",
    },
    {
      line: "holdfast run -f -- ./deploy.sh",
      text: "watch it and exit with its exit code; Ctrl+C leaves it running",
    },
  ],
  stopsAtArguments: true,
  options: [
    { flags: "-C, --cwd <dir>", text: "where to run it", kind: "folder" },
    { flags: "--name <name>", text: "a name to find it by" },
    { flags: "--description <text>", text: "what it is for" },
    {
      flags: "-e, --env <name=value>",
      text: "a variable for it; may be repeated",
      parse: parseVariable,
      isRepeatable: true,
    },
    { flags: "--merge", text: "stdout and stderr in one file" },
    { flags: "--tty", text: "with a terminal of its own; see attach" },
    { flags: "--stdin", text: "let it take input; see send" },
    { flags: "--sandbox", text: "with a private TMPDIR" },
    { flags: "--timeout <time>", text: "end it after this time", parse: parseDuration },
    { flags: "--max-output <size>", text: "end it when its output is larger", parse: parseSize },
    { flags: "--keep-tail", text: "drop the oldest output instead of ending it" },
    { flags: "--nice <n>", text: "run it with lower priority", parse: parseCount },
    {
      flags: "--session <id>",
      text: "the session to notify when it ends (default: the one that runs this)",
      kind: "session",
    },
    {
      flags: "--after <id>",
      text: "start when this task has ended; may be repeated",
      kind: "task",
      isRepeatable: true,
    },
    { flags: "--queue", text: "wait for a place when too many tasks run" },
    { flags: "--mute", text: "no notice when it ends" },
    { flags: "--retain", text: "keep it from being pruned; see retain" },
    { flags: "--wait", text: "wait for its end and exit with its exit code" },
    {
      flags: "-f, --follow",
      text: "show its output until it ends and exit with its exit code; Ctrl+C leaves it running",
      conflicts: ["wait", "json"],
    },
  ],
  async run(context, { arguments: words, options }) {
    const line = words.length === 1 ? words[0]! : words.map(shellWord).join(" ");
    if (line.trim() === "") throw usageError("run", "Cannot run task: the command is empty");
    const { tasks } = await context.runtime();
    const started = await tasks.start({
      command: line,
      cwd: realDir(context.environment.cwd, options.cwd),
      name: options.name,
      description: options.description,
      env: options.env && Object.fromEntries(options.env),
      merged: options.merge,
      tty: options.tty,
      sandbox: options.sandbox,
      stdin: options.stdin,
      timeoutMs: options.timeout,
      outputBytesMax: options.maxOutput,
      keepTail: options.keepTail,
      niceness: options.nice,
      sessionId: options.session ?? context.environment.sessionId,
      after: options.after,
      queue: options.queue,
      muted: options.mute,
    });
    const { id } = started.record;
    if (options.retain) await tasks.retain(started);
    if (options.follow) {
      await pruneAfterwards(context);
      return followStarted(context, tasks, started);
    }
    if (!options.wait) {
      if (context.isJson) await context.writeJson(await startedTaskView(tasks, started));
      else await context.output.write(`${id}\n`);
      return pruneAfterwards(context);
    }
    if (!context.isJson) await context.writeLines([id]);
    await pruneAfterwards(context);
    const ended = await withProgress(
      context,
      `Waiting for ${taskLabel(started.record)}`,
      tasks.wait(started),
      {
        ifInterrupted: `Task ${id} keeps running. Stop it: holdfast stop ${id}`,
      },
    );
    tellEndings(context, tasks, [started]);
    if (context.isJson) await context.writeJson(taskView(await tasks.refresh(started)));
    else if (ended && ended.status !== "completed")
      context.say(`Task ${id} ${endingText(ended)}. Its output: holdfast logs ${id}`);
    return ended && exitCodeOfEnding(ended);
  },
});

// Once whoever waits for the id has it.
async function pruneAfterwards({ output, runtime }: CommandContext): Promise<void> {
  await output.flush();
  await (await runtime()).pruneDue();
}
