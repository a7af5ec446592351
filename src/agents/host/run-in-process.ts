import fs from "node:fs";
import { taskCheckMs } from "../../format/limits.ts";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import type { Clock } from "../../lib/clock.ts";
import { currentProcess } from "../../lib/process-identity.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { recordLine } from "../../tasks/supervise/launch-task.ts";
import { writeRecord } from "../../tasks/supervise/start-process.ts";
import type { AgentTasks, Runner } from "../../tasks/ports.ts";
import { requestStop } from "../../tasks/supervise/stop-task.ts";
import { keepBeating } from "../../tasks/record/heartbeat.ts";
import { inTaskFolders, type TaskFiles } from "../../tasks/record/task-files.ts";
import type { TaskRecord } from "../../tasks/record/task-record.ts";
import { timeoutSignal } from "../../tasks/record/wait-task.ts";
import { writeEnding, type WrittenEnding } from "../../tasks/record/write-ending.ts";
import { runWithAgentContext } from "../agent-context.ts";
import type { AgentRequest } from "../launch/agent-request.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import { openInbox } from "../../tasks/kinds/agent/inbox.ts";
import { createLedgerFile } from "./ledger-file.ts";
import { runnerError } from "../runners/errors.ts";
import { beginAgent, newAgentTask, type AgentLaunchContext } from "../launch/launch-agent.ts";
import { promptDraft } from "../launch/prompt-entries.ts";
import { hostLocalAgent, type AgentTask } from "./host-local-agent.ts";

/** An agent to run in this process, driven by a runner that only it has. */
export interface InProcessRequest extends Omit<AgentRequest, "runner" | "after" | "queue"> {
  runner: Runner;
  /** How another process could go on with it; without one nobody can. */
  spec?: RunnerSpec | undefined;
  systemPrompt?: string | undefined;
  tools?: readonly string[] | undefined;
  /** Pieces of the answer as they come. */
  onDelta?: ((text: string) => void) | undefined;
  /** Ends the agent, as a stop does. */
  signal?: AbortSignal | undefined;
}

export interface InProcessAgent {
  task: AgentTask;
  /** Resolves when the ending is on the disk; never rejects for what the agent met. */
  result: Promise<AgentResult>;
}

/**
 * Runs an agent in this process as a task that every other process sees: with the same record, transcript, progress,
 * questions, messages and ending as one with a process of its own. If this process dies, it is lost.
 */
export async function runInProcess(
  context: AgentLaunchContext,
  request: InProcessRequest,
  { parent, tasksOf }: { parent?: TaskRecord | undefined; tasksOf: (task: AgentTask) => AgentTasks },
): Promise<InProcessAgent> {
  const { runner, spec, systemPrompt, tools, onDelta, signal, ...rest } = request;
  if (typeof runner !== "function")
    throw runnerError("runner_invalid", "Cannot run agent: its runner is not a function");
  const agentRequest = { ...rest, runner: spec, isInProcess: true as const };
  const state = { running: 0, after: [], parent, kind: "agent" as const };
  const task = newAgentTask(context, agentRequest, state);
  const drafts = [promptDraft(request.prompt)];
  await beginAgent(context, task, { drafts, start: () => announce(task) });
  const result = untilEnded(task, { ...context, signal, timeoutMs: request.timeoutMs }, (ended) =>
    hostLocalAgent(
      context,
      task,
      {
        runner,
        tasks: tasksOf(task),
        env: { ...context.env, ...request.env },
        systemPrompt,
        tools,
        onDelta,
      },
      ended,
    ),
  );
  // Who does not wait for it must not be killed by it.
  result.catch(() => {});
  return { task, result };
}

/** Puts the task on the disk: its record, its link, and that this process runs it. */
export async function announce({ record, files }: AgentTask): Promise<void> {
  try {
    await inTaskFolders(files, async () => {
      fs.symlinkSync(record.agent.transcript.path, files.output);
      openInbox(files);
      if (record.agent.budget === files.budget) createLedgerFile(files.budget);
      const { pid, startTime, bootId } = currentProcess();
      createFileAtomic(files.run, `${JSON.stringify({ pid, startTime, bootId })}\n`);
      await writeRecord(files, recordLine(record));
    });
  } catch (error) {
    for (const file of [files.record, files.output, files.inbox, files.budget, files.endingDraft, files.run])
      fs.rmSync(file, { recursive: true, force: true });
    throw error;
  }
}

export interface EndOptions {
  clock: Clock;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** What ends the agent when somebody stops the task; a new one when absent. */
  controller?: AbortController | undefined;
  /** Called before the ending is written. */
  onEnding?: (() => void) | undefined;
  /** Whether it only ends here and goes on elsewhere: then nothing is said of an ending. */
  goesOn?: ((result: AgentResult) => boolean) | undefined;
}

/** Runs the agent until it ends, is stopped by anyone, or its time is up, and writes the ending. */
export async function untilEnded(
  { record, files }: AgentTask,
  { clock, signal, timeoutMs, controller = new AbortController(), onEnding, goesOn }: EndOptions,
  run: (signal: AbortSignal) => Promise<AgentResult>,
): Promise<AgentResult> {
  const timeout = timeoutMs === undefined ? undefined : timeoutSignal(timeoutMs);
  const signals = [controller.signal, timeout, signal].filter((each) => each !== undefined);
  const over = new AbortController();
  const beating = keepBeating(files);
  const watching = watchStop(files, { onStop: () => controller.abort(), signal: over.signal });
  const { agentId, type } = record.agent;
  const context = { agentId, agentType: type, ...(record.name !== undefined && { name: record.name }) };
  try {
    const result = await runWithAgentContext(context, () => run(AbortSignal.any(signals)));
    if (goesOn?.(result)) return result;
    onEnding?.();
    const isLate = timeout?.aborted === true && !controller.signal.aborted;
    // Who ended it here is told as who ends it from elsewhere is.
    if (result.outcome.status === "interrupted" && !isLate)
      requestStop({ files }, { by: `pid ${process.pid}`, at: clock.now().toISOString() });
    writeEnding(files, endingOf(result, { isLate }));
    return result;
  } catch (error) {
    // Only the disk can refuse here: what the agent said is in its transcript, that it ended must still be told.
    writeEnding(files, { exitCode: 1, reason: "exit" });
    throw error;
  } finally {
    over.abort();
    beating.stop();
    await watching;
  }
}

async function watchStop(
  files: TaskFiles,
  { onStop, signal }: { onStop: () => void; signal: AbortSignal },
): Promise<void> {
  const changes = watchChanges([files.endingDraft], { checkMs: taskCheckMs, signal });
  try {
    do if (fs.existsSync(files.stop)) return onStop();
    while ((await changes.next()) !== "aborted");
  } finally {
    changes.close();
  }
}

const TERMINATED = 143;

function endingOf({ outcome }: AgentResult, { isLate }: { isLate: boolean }): WrittenEnding {
  if (outcome.status === "interrupted")
    return { exitCode: TERMINATED, reason: isLate ? "timeout" : "stopped" };
  return { exitCode: outcome.status === "completed" ? 0 : 1, reason: "exit" };
}
