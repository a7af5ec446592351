import { startedTaskView, taskView } from "../../../runtime/views/task-view.ts";
import { textsIn } from "../../../format/entry-kinds.ts";
import type { Task } from "../../../index.ts";
import type { Runtime } from "../../../runtime/index.ts";
import { terminalText } from "../../../lib/terminal-text.ts";
import type { CommandContext } from "../command.ts";
import { withProgress } from "../progress.ts";
import { exitCodeOfEnding } from "../tasks/exit-code-of.ts";
import { endingText, taskLabel } from "../tasks/status-text.ts";
import { readerOf, tellEndings } from "../tasks/tell-endings.ts";
import { progressText } from "./agent-facts.ts";
import { tellQuestions } from "./tell-questions.ts";

/**
 * Says that an agent was started: its id; or, if the caller waits for it, its answer when it has ended, and what it took.
 * Gives the exit code.
 */
export async function reportLaunch(
  context: CommandContext,
  { started, wait = false }: { started: Task; wait?: boolean },
): Promise<number | void> {
  const { id } = started.record;
  const runtime = await context.runtime();
  const { tasks } = runtime;
  if (!wait) {
    if (context.isJson) return context.writeJson(await startedTaskView(tasks, started));
    return context.output.write(`${id}\n`);
  }
  const telling = tellQuestions(context, runtime, [started]);
  const ended = await withProgress(
    context,
    `Waiting for ${taskLabel(started.record)}`,
    tasks.wait(started).finally(() => telling.abort()),
    { ifInterrupted: `Task ${id} keeps running. Follow it: holdfast logs -f ${id}` },
  );
  if (!ended) return;
  if (context.isJson) {
    const { retrieval_status: _status, ...output } = await tasks.output(started, {
      block: false,
      ...readerOf(context),
      whenDelivered: context.whenDelivered,
    });
    await context.writeJson({ ...taskView(await tasks.refresh(started)), ...output });
  } else {
    tellEndings(context, tasks, [started]);
    await writeAnswer(context, runtime, started);
  }
  if (ended.status !== "completed" && !context.isJson)
    context.say(
      `Task ${id} ${endingText(ended)}${await whyFailed(runtime, started)}. What it did: holdfast logs ${id}`,
    );
  return exitCodeOfEnding(ended);
}

async function whyFailed({ tasks }: Runtime, task: Task): Promise<string> {
  const outcome = (await tasks.inspect(task)).result?.outcome;
  return outcome?.status === "failed" ? `: ${terminalText(outcome.error)}` : "";
}

async function writeAnswer(
  context: CommandContext,
  { tasks, agents }: Runtime,
  started: Task,
): Promise<void> {
  const { result } = await tasks.inspect(started);
  const text = textsIn(result?.content).join("\n");
  if (text !== "")
    await context.output.write(`${context.environment.stdout.isTerminal ? terminalText(text) : text}\n`);
  await context.output.flush();
  const progress = await agents.progress(started);
  if (progress && context.environment.isWatching)
    context.say(`${taskLabel(started.record)}: ${progressText(progress)}`);
}
