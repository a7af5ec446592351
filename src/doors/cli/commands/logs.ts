import type { AgentSettings, OutputStream, Task } from "../../../index.ts";
import { isEnded, type Tasks } from "../../../runtime/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { cliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { lastOf } from "../last-of.ts";
import { parseCount } from "../option-values.ts";
import { openOutput } from "../output.ts";
import { endingText } from "../tasks/status-text.ts";
import { taskArgument } from "../tasks/task-argument.ts";
import { tellEndings } from "../tasks/tell-endings.ts";
import { terminalPieces } from "../tasks/terminal-pieces.ts";

interface LogsOptions {
  follow?: boolean;
  tail?: number;
  stderr?: boolean;
}

/** JSON holds a stream in one piece; of a larger one, its head and tail with a mark in between. */
const JSON_BYTES = 4 * 1024 * 1024;

export const command: Command<LogsOptions> = {
  arguments: [taskArgument],
  examples: [
    { line: "holdfast logs @last -f", text: "follow the newest task until it ends" },
    { line: "holdfast logs build --tail 20", text: "its last 20 lines" },
    { line: "holdfast logs b3kd --stderr", text: "only what it wrote to stderr" },
  ],
  options: [
    { flags: "-f, --follow", text: "go on until the task ends", conflicts: ["json"] },
    { flags: "-n, --tail <n>", text: "only the last n lines", parse: parseCount },
    { flags: "--stderr", text: "only stderr" },
  ],
  async run(context, { arguments: [id = ""], options }) {
    const { tasks } = await context.runtime();
    const task = await tasks.find(id);
    const { agent } = task.record;
    if (agent) return showAgent(context, tasks, { task, agent, options });
    const { merged } = task.record.shell;
    if (context.isJson) return writeStreams(context, tasks, { task, tail: options.tail });
    if (merged && options.stderr)
      throw cliError("usage", `Cannot show stderr of task "${task.record.id}": it goes to its stdout`);
    const streams: OutputStream[] = options.stderr ? ["stderr"] : merged ? ["stdout"] : ["stdout", "stderr"];
    const { outputs } = await tasks.inspect(task);
    for (const stream of streams.filter((each) => outputs[each]?.bytes === undefined))
      context.say(
        `holdfast: Cannot show ${stream === "stdout" ? "output" : stream} of task "${task.record.id}": its file was removed`,
      );
    const leave = options.follow ? sayOnInterrupt(context, task) : undefined;
    await Promise.all(streams.map((stream) => writeStream(context, tasks, { task, stream, options })));
    leave?.();
    if (options.follow) await followedToEnd(context, tasks, task);
  },
};

// What an agent says and does is a conversation; its host's own stderr is of interest when it failed.
async function showAgent(
  context: CommandContext,
  tasks: Tasks,
  { task, agent, options }: { task: Task; agent: AgentSettings; options: LogsOptions },
): Promise<void> {
  if (options.stderr) return writeStream(context, tasks, { task, stream: "stderr", options });
  const { agents } = await context.runtime();
  const { follow: isLive = false } = options;
  const entries = isLive
    ? agents.entries(task, { follow: true })
    : lastOf(agents.entries(task), options.tail);
  if (context.isJson)
    return context.writeJson({ id: task.record.id, sessionId: agent.transcript.sessionId, entries });
  const leave = isLive ? sayOnInterrupt(context, task) : undefined;
  const { writeConversation } = await import("../conversation/write-conversation.ts");
  await writeConversation(context, entries, { isLive });
  leave?.();
  if (isLive) await followedToEnd(context, tasks, task);
}

async function followedToEnd(context: CommandContext, tasks: Tasks, task: Task): Promise<void> {
  tellEndings(context, tasks, [task]);
  const { state } = await tasks.refresh(task);
  if (context.environment.isWatching && isEnded(state) && state.status !== "completed")
    context.say(`Task ${task.record.id} ${endingText(state)}.`);
}

// What the task wrote to its stderr goes to ours, unless it was asked for alone.
async function writeStream(
  { environment, output }: CommandContext,
  tasks: Tasks,
  { task, stream, options }: { task: Task; stream: OutputStream; options: LogsOptions },
): Promise<void> {
  const isErrors = stream === "stderr" && !options.stderr;
  const to = isErrors ? openOutput(process.stderr) : output;
  const { isTerminal } = isErrors ? environment.stderr : environment.stdout;
  const signal = options.follow ? undefined : AbortSignal.abort();
  const bytes = tasks.followBytes(task, { stream, lastLines: options.tail, signal });
  // A terminal obeys what it is shown; a pipe gets the bytes as they are.
  for await (const piece of isTerminal ? terminalPieces(bytes) : bytes) {
    await to.write(piece);
    await to.flush();
  }
}

async function writeStreams(
  { writeJson }: CommandContext,
  tasks: Tasks,
  { task, tail }: { task: Task; tail: number | undefined },
): Promise<void> {
  const { record } = task;
  const read = async (stream: OutputStream): Promise<string> =>
    (await tasks.read(task, { stream, bytesMax: JSON_BYTES, lastLines: tail })).text;
  return writeJson({
    id: record.id,
    stdout: await read("stdout"),
    stderr: record.shell.merged ? "" : await read("stderr"),
  });
}

// Ctrl+C ends only the looking.
function sayOnInterrupt({ environment, say }: CommandContext, { record: { id } }: Task): () => void {
  const onExit = (code: number): void => {
    if (code === exitCodes.interrupted && environment.isWatching)
      say(`\nTask ${id} runs on. Stop it: holdfast stop ${id}`);
  };
  process.once("exit", onExit);
  return () => void process.removeListener("exit", onExit);
}
