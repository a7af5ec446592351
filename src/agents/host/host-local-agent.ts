import os from "node:os";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { messageOf } from "../../lib/errors.ts";
import { loadPrices } from "../../usage/prices/price.ts";
import { readPrices } from "../../usage/prices/read-prices.ts";
import { toAnthropicMessages } from "../../store/chat-messages/to-anthropic-messages.ts";
import type { AgentTasks, Runner, RunnerRequest } from "../../tasks/ports.ts";
import { taskFiles, type TaskFiles } from "../../tasks/record/task-files.ts";
import type { TaskRecord } from "../../tasks/record/task-record.ts";
import { noUsage, readProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { AgentSettings } from "../../tasks/kinds/agent/agent-settings.ts";
import { transcriptOf, writeMeta, type TranscriptPlace } from "../launch/agent-transcript.ts";
import { AgentWriter } from "./agent-writer.ts";
import { driveRunner, type AgentHostPorts } from "./drive-runner.ts";
import { readAllowed } from "../../tasks/kinds/agent/permission-answer.ts";
import { closeInbox, forgetMessage, readMessages } from "../../tasks/kinds/agent/inbox.ts";
import { permissionAsker } from "./ask-permission.ts";
import { linkResults } from "./link-results.ts";
import { PermissionJudge } from "./permission-judge.ts";
import { ledgerFile } from "./ledger-file.ts";
import { findBash } from "../../lib/find-bash.ts";
import { sessionCompanions } from "./session-companions.ts";
import { ProgressFile } from "./progress-file.ts";
import { continuePrompt, promptDraft, readConversationEnd } from "../launch/prompt-entries.ts";

/** The type of a conversation that is a task. */
export const mainSessionType = "main-session";

/** An agent's record and files. */
export interface AgentTask {
  record: TaskRecord & { agent: AgentSettings };
  files: TaskFiles;
}

export type AgentRun = FreshRun | RunUnderWay;

/** An agent that is to be begun, or taken up where its transcript ends. */
export interface FreshRun {
  runner: Runner;
  tasks: AgentTasks;
  /** The environment of whatever the agent starts. */
  env: Readonly<Record<string, string | undefined>>;
  /** Of the agent's type: how it is told to work, and with which tools. */
  systemPrompt?: string | undefined;
  tools?: readonly string[] | undefined;
  onDelta?: ((text: string) => void) | undefined;
}

/** An agent in the middle of its conversation, which becomes the task's: it goes on with these ports, to its end. */
export interface RunUnderWay {
  goOn: (ports: AgentHostPorts, signal: AbortSignal) => Promise<AgentResult>;
  /** Whether it only ends here and goes on elsewhere: then it has no result yet. */
  goesOn?: ((result: AgentResult) => boolean) | undefined;
  /** Given what the run writes, once it is open. */
  onOpen?: ((open: OpenAgent) => void) | undefined;
}

/** What a run writes, for who takes part in it. */
export interface OpenAgent {
  writer: AgentWriter;
  progress: ProgressFile;
}

/**
 * Runs an agent whose record and prompt are on the disk, under the lease of its transcript, to its end. When this
 * returns, the result is on the disk, too. Never throws for what an agent may meet: that is in the result.
 */
export async function hostLocalAgent(
  place: TranscriptPlace,
  task: AgentTask,
  run: AgentRun,
  signal: AbortSignal,
): Promise<AgentResult> {
  const result = await runUnderLease(place, task, run, signal);
  if ("goOn" in run && run.goesOn?.(result)) return result;
  writeFileAtomic(task.files.result, `${JSON.stringify(result)}\n`);
  if (result.outcome.status !== "interrupted")
    writeMeta(transcriptOf(task.files, task.record.agent), { finished: true });
  return result;
}

async function runUnderLease(
  place: TranscriptPlace,
  task: AgentTask,
  run: AgentRun,
  signal: AbortSignal,
): Promise<AgentResult> {
  const { record, files } = task;
  const progress = new ProgressFile(files);
  let writer: AgentWriter | undefined;
  try {
    const transcript = transcriptOf(files, record.agent);
    writer = await AgentWriter.open(place, { transcript, cwd: record.cwd });
    const judge = judgeOf(place, task, run);
    if (record.agent.type === mainSessionType) progress.setBackgrounded(true);
    const onDelta = "goOn" in run ? undefined : run.onDelta;
    const ports = localPorts(place, task, { writer, progress, judge, onDelta });
    const { agentId, limits } = record.agent;
    if ("goOn" in run) {
      run.onOpen?.({ writer, progress });
      return { ...(await run.goOn(ports, signal)), agentId };
    }
    const before = readProgress(files);
    const request = await beginRun(place, task, run, writer);
    // Somebody killed the last run between its answer and its end.
    const runner = request.isAnswered ? nothingToDo : run.runner;
    const hosted = { agentId, request: { ...request, whyDenied: judge.whyDenied }, limits, before };
    const result = await driveRunner(runner, hosted, ports, signal);
    return request.isAnswered ? { ...result, content: request.answer } : result;
  } catch (error) {
    return failedBefore(place, task, error);
  } finally {
    progress.close();
    await writer?.close();
  }
}

type Begin = Omit<RunnerRequest, "askPermission" | "takeMessages"> & {
  isAnswered: boolean;
  answer: AgentResult["content"];
};

// Every tool use has its result from the launch on; one whose last word is the agent's own is told to go on.
async function beginRun(
  { home }: TranscriptPlace,
  { record, files }: AgentTask,
  { tasks, env, systemPrompt, tools }: FreshRun,
  writer: AgentWriter,
): Promise<Begin> {
  const entries = await writer.readEntries();
  const end = readConversationEnd(entries);
  if (end.isUnfinished) await writer.append({ ...promptDraft(continuePrompt), isMeta: true });
  const { continues, model } = record.agent;
  // One that goes on under the same id has said so itself.
  const earlier = readProgress(
    continues === undefined ? files : taskFiles(home, { ...files, id: continues }),
  );
  return {
    messages: toAnthropicMessages(end.isUnfinished ? await writer.readEntries() : entries),
    prompt: end.said ?? continuePrompt,
    isAnswered: end.isAnswered,
    answer: end.answer,
    ...(earlier?.foreignSessionId !== undefined && { foreignSessionId: earlier.foreignSessionId }),
    cwd: record.cwd,
    permission: record.agent.permission,
    env,
    ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(tools !== undefined && { tools }),
    tasks,
  };
}

function judgeOf(
  { configDir }: TranscriptPlace,
  { record, files }: AgentTask,
  run: AgentRun,
): PermissionJudge {
  // Who is under way has a judge of its own, which was asked first.
  const hasBash = "env" in run && findBash(run.env) !== undefined;
  const place = { cwd: record.cwd, userHome: os.homedir(), hasBash };
  const { permission: policy } = record.agent;
  return new PermissionJudge({ policy, configDir, place, approved: readAllowed(files) });
}

function localPorts(
  place: TranscriptPlace,
  { record, files }: AgentTask,
  { writer, progress, judge, onDelta }: OpenAgent & { judge: PermissionJudge } & Pick<FreshRun, "onDelta">,
): AgentHostPorts {
  const { clock } = place;
  return {
    ...sessionCompanions(place, () => writer.transcript),
    append: linkResults((draft) => writer.append(draft)),
    onProgress: (read, options) => progress.show(read, options),
    onEvent: (event) => event.kind === "delta" && onDelta?.(event.text),
    askPermission: permissionAsker({ judge, files, clock }),
    readMessages: () => readMessages(files),
    forgetMessage: (message) => forgetMessage(files, message),
    closeMessages: () => closeInbox(files),
    readConversation: async () => toAnthropicMessages(await writer.readEntries()),
    clock,
    loadPrice: async () => loadPrices(readPrices(place)),
    ...(record.agent.budget !== undefined && { ledger: ledgerFile(record.agent.budget) }),
  };
}

// eslint-disable-next-line require-yield -- a runner that has nothing to tell
async function* nothingToDo(): AsyncGenerator<never, { reason: "done" }> {
  return { reason: "done" };
}

function failedBefore({ clock }: TranscriptPlace, { record, files }: AgentTask, error: unknown): AgentResult {
  const before = readProgress(files);
  const message = messageOf(error);
  return {
    schemaVersion: 1,
    agentId: record.agent.agentId,
    outcome: { status: "failed", reason: "agent-error", error: message },
    content: [],
    totalDurationMs: clock.now().getTime() - Date.parse(record.startedAt),
    totalTokens: before?.tokens ?? 0,
    totalToolUseCount: before?.toolUses ?? 0,
    usage: before?.usage ?? noUsage,
  };
}
