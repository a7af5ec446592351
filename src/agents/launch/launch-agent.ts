import fs from "node:fs";
import { concurrentAgentsMax } from "../../tasks/kinds/agent/limits.ts";
import { promptPreviewLengthMax } from "../../format/limits.ts";
import { taskOutputBytesMax } from "../../tasks/limits.ts";
import { cutText, oneLine } from "../../format/short-text.ts";
import { currentProcess } from "../../lib/process-identity.ts";
import { shellQuote } from "../../lib/shell-quote.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import { taskError } from "../../tasks/errors.ts";
import { firstLine, launchTask, type Launch, type LaunchContext } from "../../tasks/supervise/launch-task.ts";
import { launchedWork, unnamedWork } from "../../tasks/record/launched-work.ts";
import { newTaskFiles } from "../../tasks/record/new-task-files.ts";
import type { Places } from "../../tasks/record/running-tasks.ts";
import { isAgent } from "../../tasks/record/waiting-tasks.ts";
import { ownProgram, type OwnPrograms } from "../../tasks/supervise/own-program.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { ShellSettings, TaskRecord } from "../../tasks/record/task-record.ts";
import type { LaunchState } from "../../tasks/kinds/shell/launch-shell.ts";
import { checkAgentRequest, checkDepth, defaultAgentType, type AgentRequest } from "./agent-request.ts";
import type { AgentLimits, AgentSettings, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import { checkFence, checkRunner } from "./check-runner.ts";
import { getAgentType } from "../types/index.ts";
import { metaOf, openTranscript, placeTranscript, removeTranscript, writeMeta } from "./agent-transcript.ts";
import { openInbox } from "../../tasks/kinds/agent/inbox.ts";
import { promptDraft } from "./prompt-entries.ts";
import { createLedgerFile } from "../host/ledger-file.ts";
import type { AgentTask } from "../host/host-local-agent.ts";

export interface AgentLaunchContext extends LaunchContext {
  /** The user's settings, where they are not in the home. */
  settingsFile?: string | undefined;
  configDir: string;
  programs: OwnPrograms;
}

/**
 * Starts an agent in a process of its own, under a supervisor as a shell command is. When this returns, the prompt is the
 * first entry of its transcript, on the disk, and the agent goes on whatever becomes of this process. When it throws,
 * nothing runs and nothing is left.
 */
export async function launchAgent(
  context: AgentLaunchContext,
  request: AgentRequest,
  state: LaunchState & { parent?: TaskRecord | undefined },
): Promise<AgentTask> {
  checkAgentRequest(request);
  const runner = await checkRunner(request.runner, request.cwd);
  checkFence(runner, { permission: request.permission, env: { ...context.env, ...request.env } });
  const { type, cwd } = request;
  const typed =
    type === undefined ? undefined : await getAgentType(type, { cwd, configDir: context.configDir });
  const model = request.model ?? typed?.model;
  const task = newAgentTask(context, { ...request, runner, model }, { ...state, kind: "agent" });
  const drafts = [promptDraft(request.prompt)];
  await beginAgent(context, task, { drafts, start: () => launchHost(context, task, request) });
  return task;
}

/** A new agent's record and files; nothing is on the disk yet. Throws when it may not run. */
export function newAgentTask(
  context: AgentLaunchContext,
  request: Omit<AgentRequest, "runner"> & {
    runner?: RunnerSpec | undefined;
    isInProcess?: true;
    isOwed?: boolean | undefined;
    mainType?: string | undefined;
  },
  {
    kind,
    parent,
    ...state
  }: LaunchState & { kind: "agent" | "main-session"; parent?: TaskRecord | undefined },
): AgentTask {
  checkAgentRequest(request);
  const depth = (parent?.agent?.depth ?? 0) + 1;
  checkDepth(depth);
  const files = newTaskFiles(context.home, { cwd: request.cwd, kind });
  const { cwd, sessionId, type = defaultAgentType, runner, model, permission = "ask" } = request;
  const limits = limitsUnder(parent?.agent, request.limits);
  const agentId = files.id;
  const isLimited = Object.keys(limits).length > 0;
  const budget = request.budget ?? parent?.agent?.budget ?? (isLimited ? files.budget : undefined);
  const agent: AgentSettings = {
    agentId,
    transcript: placeTranscript(context, { cwd, sessionId, agentId }),
    type,
    ...(runner && { runner }),
    ...(model !== undefined && { model }),
    prompt: promptPreview(request.prompt),
    permission,
    limits,
    ...(budget !== undefined && { budget }),
    depth,
    ...(parent && { parentTaskId: parent.id }),
    ...(request.isInProcess && { isInProcess: true }),
    ...(request.isOwed && { isOwed: true }),
    ...(request.mainType !== undefined && { mainType: request.mainType }),
  };
  // What is said in a conversation is work only together with it.
  const said = { kind: "local_agent", text: request.prompt, cwd } as const;
  const work = kind === "agent" ? launchedWork(said) : unnamedWork(said);
  return { record: recordOf(context, request, { id: files.id, agent, work, state }), files };
}

// A tree has one budget, which its root was given: who could give another one could give any.
function limitsUnder(parent: AgentSettings | undefined, given: AgentLimits | undefined): AgentLimits {
  if (parent?.budget === undefined) return given ?? {};
  const keys = ["maxTurns", "maxTokens", "maxCostUsd"] as const;
  if (given && keys.some((key) => given[key] !== parent.limits[key]))
    throw taskError("task_refused", "Cannot run agent: its limits are those of the agent that starts it");
  return parent.limits;
}

export function recordOf(
  context: AgentLaunchContext,
  request: Omit<AgentRequest, "runner">,
  { state, ...facts }: Pick<AgentTask["record"], "id" | "agent" | "work"> & { state: LaunchState },
): AgentTask["record"] {
  const { timeoutMs, queue } = request;
  const waitsFor = facts.agent.isInProcess ? undefined : waitsForOf({ ...state, queue });
  const shell: ShellSettings = {
    ...plainSupervision,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(waitsFor && { waitsFor }),
  };
  const where = runnerLabel(facts.agent);
  return agentRecord(context, request, { ...facts, kind: "local_agent", where, shell });
}

/** The record of an agent, here or elsewhere. */
export function agentRecord(
  { clock }: AgentLaunchContext,
  request: Omit<AgentRequest, "runner">,
  {
    where,
    ...rest
  }: Pick<AgentTask["record"], "id" | "kind" | "shell" | "agent" | "work"> & { where: string },
): AgentTask["record"] {
  const { name, description = firstLine(request.prompt), sessionId, toolUseId, muted } = request;
  return {
    schemaVersion: 1,
    ...rest,
    ...(name !== undefined && { name }),
    description,
    command: `${where}: ${rest.agent.prompt}`,
    cwd: request.cwd,
    ...(sessionId !== undefined && { sessionId }),
    ...(toolUseId !== undefined && { toolUseId }),
    startedAt: clock.now().toISOString(),
    launcher: currentProcess(),
    ...(muted && { muted: true }),
  };
}

/** Writes what is said to the agent, then starts it. When this throws, no transcript is left. */
export async function beginAgent(
  context: AgentLaunchContext,
  { record }: AgentTask,
  { drafts, start }: { drafts: readonly EntryDraft[]; start: () => Promise<void> },
): Promise<void> {
  const { transcript } = record.agent;
  try {
    const writer = await openTranscript(context, { transcript, cwd: record.cwd, durability: "sync" });
    try {
      for (const draft of drafts) await writer.append(draft);
      writeMeta(transcript, { ...metaOf(record), finished: false });
    } finally {
      await writer.close();
    }
    await start();
  } catch (error) {
    removeTranscript(transcript);
    throw error;
  }
}

/** Starts the host of an agent whose prompt is written. Throws when too many run and it does not wait for a place. */
export async function launchHost(
  context: AgentLaunchContext,
  { record, files }: AgentTask,
  { env }: Pick<AgentRequest, "env">,
): Promise<void> {
  const words = ownProgram(context.programs.agentHost, files, context);
  await launchTask(context, {
    record,
    files,
    supervised: { shell: "/bin/sh", command: `exec ${words.map(shellQuote).join(" ")}` },
    env: () => env ?? {},
    places: record.shell.waitsFor
      ? undefined
      : { ...agentPlaces, refusal: () => limitReached(agentPlaces.max) },
    ...hostOutput(files, record.agent),
  });
}

export function promptPreview(prompt: string): string {
  return cutText(oneLine(prompt), promptPreviewLengthMax);
}

/** The output is the transcript; what the host itself has to say is about what went wrong. */
export function hostOutput(
  files: TaskFiles,
  { transcript, budget }: Pick<AgentSettings, "transcript" | "budget">,
): Pick<Launch, "streams" | "prepare"> {
  return {
    streams: { stdout: files.stderr, stderr: files.stderr },
    prepare() {
      fs.symlinkSync(transcript.path, files.output);
      openInbox(files);
      if (budget === files.budget) createLedgerFile(budget);
    },
  };
}

/** How the process is supervised that looks after an agent. */
export const plainSupervision: ShellSettings = {
  shell: "/bin/sh",
  merged: false,
  tty: false,
  sandbox: false,
  stdin: false,
  outputBytesMax: taskOutputBytesMax,
  keepTail: false,
};

/** An agent that runs inside its launcher costs no process of its own, but is counted all the same. */
export const agentPlaces: Places = { max: concurrentAgentsMax, isCounted: isAgent };

function waitsForOf({
  queue,
  running,
  after,
}: LaunchState & { queue: boolean | undefined }): ShellSettings["waitsFor"] {
  if (after.length > 0) return { bases: after, slots: 1 };
  if (running < concurrentAgentsMax) return undefined;
  if (queue) return { bases: [], slots: concurrentAgentsMax };
  throw limitReached(running);
}

function limitReached(running: number): Error {
  return taskError(
    "task_limit",
    `Cannot run agent: ${running} agents run already, the limit is ${concurrentAgentsMax}; stop some or queue it`,
    { retryable: true, fields: { running, limit: concurrentAgentsMax } },
  );
}

function runnerLabel({ runner, type }: AgentSettings): string {
  if (!runner) return type;
  return runner.agent ?? runner.command ?? runner.module ?? runner.name;
}
