import os from "node:os";
import type { Entry } from "../../../format/index.ts";
import { writeFileAtomic } from "../../../lib/atomic-write.ts";
import { toAnthropicMessages } from "../../../store/chat-messages/to-anthropic-messages.ts";
import { readConversation } from "../../../store/conversation.ts";
import type { SessionWriter } from "../../../store/session-writer.ts";
import type { AgentTasks, Runner, RunnerMessage, RunnerRequest } from "../../ports.ts";
import { taskFiles, type TaskFiles } from "../../task-files.ts";
import type { TaskRecord } from "../../task-record.ts";
import { readProgress } from "./agent-progress.ts";
import type { AgentResult } from "./agent-result.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { openTranscript, transcriptOf, writeMeta, type TranscriptPlace } from "./agent-transcript.ts";
import { hostAgent, type AgentHostPorts } from "./host-agent.ts";
import { forgetMessage, readMessages } from "./inbox.ts";
import { loadMessagePrice } from "./message-price.ts";
import { permissionAsker } from "./permission/ask-permission.ts";
import { ProgressFile } from "./progress-file.ts";
import { continuePrompt, promptDraft, readConversationEnd } from "./prompt-entries.ts";

/** An agent's record and files. */
export interface AgentTask {
  record: TaskRecord & { agent: AgentSettings };
  files: TaskFiles;
}

export interface AgentRun {
  runner: Runner;
  tasks: AgentTasks;
  /** The environment of whatever the agent starts. */
  env: Readonly<Record<string, string | undefined>>;
  /** Of the agent's type: how it is told to work, and with which tools. */
  systemPrompt?: string | undefined;
  tools?: readonly string[] | undefined;
  onDelta?: ((text: string) => void) | undefined;
}

/**
 * Runs an agent whose record and prompt are on the disk, under the lease of its transcript, to its end. When this
 * returns, the result is on the disk, too. Never throws for what an agent may meet: that is in the result.
 */
export async function runAgentTask(
  place: TranscriptPlace,
  task: AgentTask,
  run: AgentRun,
  signal: AbortSignal,
): Promise<AgentResult> {
  const result = await runUnderLease(place, task, run, signal);
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
  let writer: SessionWriter | undefined;
  try {
    const transcript = transcriptOf(files, record.agent);
    writer = await openTranscript(place, { transcript, cwd: record.cwd, durability: "flush" });
    const request = await beginRun(place, task, run, writer);
    // Somebody killed the last run between its answer and its end.
    const runner = request.isAnswered ? nothingToDo : run.runner;
    const ports = localPorts(place, task, { writer, progress, onDelta: run.onDelta });
    const hosted = { agentId: record.agent.agentId, request, limits: record.agent.limits };
    const result = await hostAgent(runner, hosted, ports, signal);
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
  { tasks, env, systemPrompt, tools }: AgentRun,
  writer: SessionWriter,
): Promise<Begin> {
  const entries = await readEntries(writer);
  const end = readConversationEnd(entries);
  if (end.isUnfinished) await writer.append({ ...promptDraft(continuePrompt), isMeta: true });
  const { continues, model } = record.agent;
  const before =
    continues === undefined ? undefined : readProgress(taskFiles(home, { ...files, id: continues }));
  return {
    messages: toMessages(end.isUnfinished ? await readEntries(writer) : entries),
    prompt: end.said ?? continuePrompt,
    isAnswered: end.isAnswered,
    answer: end.answer,
    ...(before?.foreignSessionId !== undefined && { foreignSessionId: before.foreignSessionId }),
    cwd: record.cwd,
    env,
    ...(model !== undefined && { model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(tools !== undefined && { tools }),
    tasks,
  };
}

function localPorts(
  { configDir, clock }: TranscriptPlace,
  { record, files }: AgentTask,
  {
    writer,
    progress,
    onDelta,
  }: { writer: SessionWriter; progress: ProgressFile; onDelta: AgentRun["onDelta"] },
): AgentHostPorts {
  return {
    append: (draft) => writer.append(draft),
    onProgress: (latest) => progress.show(latest),
    ...(onDelta && { onDelta }),
    askPermission: permissionAsker({
      policy: record.agent.permission,
      files,
      configDir,
      place: { cwd: record.cwd, userHome: os.homedir() },
      clock,
    }),
    readMessages: () => readMessages(files),
    forgetMessage: (message) => forgetMessage(files, message),
    readConversation: async () => toMessages(await readEntries(writer)),
    clock,
    loadPrice: loadMessagePrice,
  };
}

async function readEntries({ session }: SessionWriter): Promise<Entry[]> {
  return (await readConversation(session.path, { mode: "context" })).entries;
}

function toMessages(entries: readonly Entry[]): RunnerMessage[] {
  return toAnthropicMessages(entries).map(({ role, content }) => ({
    role,
    content: content.map((block) => ({ ...block })),
  }));
}

// eslint-disable-next-line require-yield -- a runner that has nothing to tell
async function* nothingToDo(): AsyncGenerator<never, { reason: "done" }> {
  return { reason: "done" };
}

function failedBefore({ clock }: TranscriptPlace, { record, files }: AgentTask, error: unknown): AgentResult {
  const before = readProgress(files);
  const message = error instanceof Error ? error.message : String(error);
  return {
    schemaVersion: 1,
    agentId: record.agent.agentId,
    outcome: { status: "failed", reason: "agent-error", error: message },
    content: [],
    totalDurationMs: clock.now().getTime() - Date.parse(record.startedAt),
    totalTokens: before?.tokens ?? 0,
    totalToolUseCount: before?.toolUses ?? 0,
    usage: before?.usage ?? {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}
