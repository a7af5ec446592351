import type { AgentSettings, OutputStream, Task } from "../../../index.ts";
import type { Entry } from "../../../format/entries/entry.ts";
import { isEnded, type Tasks } from "../../../runtime/index.ts";
import type { CommandContext } from "../command.ts";
import { cliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { lastOf } from "../last-of.ts";
import { openOutput } from "../output.ts";
import { exitCodeOfEnding } from "./exit-code-of.ts";
import { firstByteSince } from "./first-byte-since.ts";
import { endingText } from "./status-text.ts";
import { stampedLines } from "./stamped-lines.ts";
import { tellEndings } from "./tell-endings.ts";
import { terminalPieces } from "./terminal-pieces.ts";

export interface ShowOutputOptions {
  /** Goes on until the task ends. */
  follow?: boolean;
  tail?: number;
  stderr?: boolean;
  /** With the moment of each line, or of what an agent said. */
  timestamps?: boolean;
  since?: Date;
}

/** Shows what a task has said so far, or says until it ends: of a command its output, of an agent its conversation. */
export async function showOutput(
  context: CommandContext,
  tasks: Tasks,
  { task, options }: { task: Task; options: ShowOutputOptions },
): Promise<void> {
  const { record } = task;
  if (record.agent) return showAgent(context, tasks, { task, agent: record.agent, options });
  const { merged } = record.shell;
  if (merged && options.stderr)
    throw cliError("usage", `Cannot show stderr of task "${record.id}": it goes to its stdout`);
  const streams: OutputStream[] = options.stderr ? ["stderr"] : merged ? ["stdout"] : ["stdout", "stderr"];
  const { outputs } = await tasks.inspect(task);
  for (const stream of streams.filter((each) => outputs[each]?.bytes === undefined))
    context.say(
      `holdfast: Cannot show ${stream === "stdout" ? "output" : stream} of task "${record.id}": its file was removed`,
    );
  const { since } = options;
  const wanted = streams.map((stream): StreamToWrite => {
    const facts = outputs[stream];
    const from = since && facts ? firstByteSince(task, facts, since) : 0;
    return { task, stream, options, from, bytesBefore: facts?.bytes };
  });
  const leave = options.follow ? sayOnInterrupt(context, task) : undefined;
  await Promise.all(wanted.map((stream) => writeStream(context, tasks, stream)));
  leave?.();
  if (options.follow) await followedToEnd(context, tasks, task);
}

/** A command writes into its file directly, so the time of a line is only known to whoever sees it arrive. */
export function refuseTimes(id: string, { timestamps, follow }: ShowOutputOptions): void {
  if (timestamps && !follow)
    throw cliError(
      "usage",
      `Cannot show times of task "${id}": the output of a command holds none; with --follow each new line has one`,
    );
}

// What an agent says and does is a conversation; its host's own stderr is of interest when it failed.
async function showAgent(
  context: CommandContext,
  tasks: Tasks,
  { task, agent, options }: { task: Task; agent: AgentSettings; options: ShowOutputOptions },
): Promise<void> {
  if (options.stderr) return writeStream(context, tasks, { task, stream: "stderr", options });
  const runtime = await context.runtime();
  const { agents } = runtime;
  const { follow: isLive = false, timestamps: hasTimes, since } = options;
  const all = agents.entries(task, { follow: isLive });
  const wanted = since ? entriesSince(all, since) : all;
  const entries = isLive ? wanted : lastOf(wanted, options.tail);
  if (context.isJson)
    return context.writeJson({ id: task.record.id, sessionId: agent.transcript.sessionId, entries });
  const leave = isLive ? sayOnInterrupt(context, task) : undefined;
  const { tellQuestions } = await import("../agents/tell-questions.ts");
  const telling = tellQuestions(context, runtime, isLive ? [task] : []);
  const { writeConversation } = await import("../conversation/write-conversation.ts");
  await writeConversation(context, entries, { isLive, hasTimes }).finally(() => telling.abort());
  leave?.();
  if (isLive) await followedToEnd(context, tasks, task);
}

async function* entriesSince(entries: AsyncIterable<Entry>, since: Date): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    const { timestamp } = entry as { timestamp?: unknown };
    if (typeof timestamp === "string" && Date.parse(timestamp) >= since.getTime()) yield entry;
  }
}

async function followedToEnd(context: CommandContext, tasks: Tasks, task: Task): Promise<void> {
  tellEndings(context, tasks, [task]);
  const { state } = await tasks.refresh(task);
  if (context.environment.isWatching && isEnded(state) && state.status !== "completed")
    context.say(`Task ${task.record.id} ${endingText(state)}.`);
}

interface StreamToWrite {
  task: Task;
  stream: OutputStream;
  options: ShowOutputOptions;
  /** The byte to begin at. */
  from?: number;
  /** How much of it was there before anybody looked. */
  bytesBefore?: number | undefined;
}

// What the task wrote to its stderr goes to ours, unless it was asked for alone.
async function writeStream(
  { environment, output }: CommandContext,
  tasks: Tasks,
  { task, stream, options, from = 0, bytesBefore = 0 }: StreamToWrite,
): Promise<void> {
  const isErrors = stream === "stderr" && !options.stderr;
  const to = isErrors ? openOutput(process.stderr) : output;
  const { isTerminal } = isErrors ? environment.stderr : environment.stdout;
  const signal = options.follow ? undefined : AbortSignal.abort();
  const bytes = (): AsyncIterable<Uint8Array> =>
    tasks.followBytes(task, { stream, lastLines: from > 0 ? undefined : options.tail, from, signal });
  // A terminal obeys what it is shown; a pipe gets the bytes as they are.
  const pieces = options.timestamps
    ? stampedLines(tasks.follow(task, { stream, from: { [stream]: from } }), { bytesBefore })
    : isTerminal
      ? terminalPieces(bytes())
      : bytes();
  for await (const piece of pieces) {
    await to.write(piece);
    await to.flush();
  }
}

// Ctrl+C ends only the looking.
function sayOnInterrupt({ environment, say }: CommandContext, { record: { id } }: Task): () => void {
  const onExit = (code: number): void => {
    if (code === exitCodes.interrupted && environment.isWatching)
      say(`\nTask ${id} keeps running. Stop it: holdfast stop ${id}`);
  };
  process.once("exit", onExit);
  return () => void process.removeListener("exit", onExit);
}

/** Follows a task that was just started; its exit code. */
export async function followStarted(context: CommandContext, tasks: Tasks, started: Task): Promise<number> {
  const { id } = started.record;
  context.say(`Task ${id}. Ctrl+C leaves it running.`);
  await showOutput(context, tasks, { task: started, options: { follow: true } });
  const { state } = await tasks.refresh(started);
  return isEnded(state) ? exitCodeOfEnding(state) : exitCodes.ok;
}
