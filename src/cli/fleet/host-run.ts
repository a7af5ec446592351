import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FleetConnection } from "../../fleet/connection.ts";
import type { ClaimedRun, RunAgent } from "../../fleet/handle-run.ts";
import type { RunEnding } from "../../fleet/log-event.ts";
import { carefulGit } from "../../fleet/workspace/git.ts";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { systemClock } from "../../lib/clock.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { ownedTasks } from "../../tasks/kinds/agent/agent-tasks.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { AgentSettings, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import { hostAgent, type AgentHostPorts } from "../../tasks/kinds/agent/host-agent.ts";
import { loadMessagePrice } from "../../tasks/kinds/agent/message-price.ts";
import { permissionAsker, ruleDenier } from "../../tasks/kinds/agent/permission/ask-permission.ts";
import { continuePrompt, promptDraft, readConversationEnd } from "../../tasks/kinds/agent/prompt-entries.ts";
import { openTasks, type Tasks } from "../../tasks/open-tasks.ts";
import type { PermissionAnswer } from "../../tasks/ports.ts";
import { taskFiles, type TaskFiles } from "../../tasks/task-files.ts";
import { loadRunner } from "../agents/load-runner.ts";
import { withAgentType } from "../agents/with-agent-type.ts";
import { RunControls, type StopOrder } from "./run-controls.ts";
import { RunProgressLog } from "./run-progress.ts";
import { RunTranscript } from "./run-transcript.ts";
import { openRunWorkspace, type RunWorkspaceFolder } from "./run-workspace.ts";

export interface HostContext {
  connection: FleetConnection;
  /** Where runs have their folders. */
  runsDir: string;
  /** The worker's own config folder, whose settings hold when rules decide. */
  configDir: string;
  /** The environment of whatever agents start: this is where the worker's keys are. */
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs an agent on a worker, by the same host as a local one, with the log of its session as its transcript. A run that
 * another worker began goes on after what is recorded: a tool use without a result is told to the agent as interrupted.
 */
export function hostRuns(context: HostContext): RunAgent {
  return async (run) => {
    const { sessionId } = run.request;
    const dir = ensurePrivateDir(path.join(context.runsDir, `${sessionId}-${run.epoch}`));
    const tasks = openTasks({
      home: ensurePrivateDir(path.join(dir, "home")),
      configDir: path.join(dir, "config"),
      env: { ...context.env },
      clock: systemClock,
      isSessionAlive: () => true,
    });
    try {
      return await drive(context, run, { dir, tasks });
    } finally {
      // What the agent left running would otherwise work on in a folder that is gone.
      for (const task of tasks.list()) await tasks.stop(task, { by: "fleet worker" }).catch(() => {});
      tasks.close();
      fs.rmSync(dir, { recursive: true, force: true });
    }
  };
}

async function drive(
  context: HostContext,
  run: ClaimedRun,
  { dir, tasks }: { dir: string; tasks: Tasks },
): Promise<RunEnding | undefined> {
  const { connection, env } = context;
  const { request } = run;
  const workspace = await openRunWorkspace({ connection, git: carefulGit(env), dir }, run);
  const { cwd } = workspace;
  const transcript = await RunTranscript.open({ connection, dir, cwd }, run);
  const answered = await begin(run, transcript, workspace);
  if (answered) return { status: "completed", result: { ...noTotals, content: answered } };

  const files = taskFiles(path.join(dir, "home"), { projectKey: "run", id: "r00000000" });
  ensurePrivateDir(path.dirname(files.base));
  const progress = new RunProgressLog(run);
  const stopped = new AbortController();
  let order: StopOrder | undefined;
  const controls = new RunControls(run, {
    onStop(given) {
      order ??= given;
      stopped.abort();
    },
    onAnswer: (requestId, answer) => putAnswer(files, run, { requestId, answer }),
    isSaid: (id) => transcript.has(id),
  });
  const timeout = AbortSignal.timeout(Math.min(timeLeftMs(run), TIMER_MS_MAX));
  const over = new AbortController();
  const following = controls.follow(AbortSignal.any([run.signal, over.signal])).catch(() => {});
  const settings = agentSettings(run, cwd);
  const hosted = {
    agentId: request.sessionId,
    limits: request.agent.limits,
    request: {
      messages: await transcript.readMessages(),
      prompt: readConversationEnd(await transcript.readEntries()).said ?? continuePrompt,
      cwd,
      env,
      ...(request.agent.model !== undefined && { model: request.agent.model }),
      whyDenied: ruleDenier(settings.permission, {
        configDir: context.configDir,
        place: { cwd, userHome: os.homedir() },
      }),
      tasks: ownedTasks(tasks, { ...settings, cwd, sessionId: request.sessionId }),
    },
  };
  const ports: AgentHostPorts = {
    async append(draft) {
      const uuid = await transcript.append(draft);
      if (draft.type === "user") await workspace.keepSometimes();
      return uuid;
    },
    onProgress: (read) => progress.show(read()),
    askPermission: fencedAsker(context, run, { files, settings, cwd }),
    readMessages: () => controls.messages,
    forgetMessage: (message) => controls.forget(message),
    readConversation: () => transcript.readMessages(),
    clock: systemClock,
    loadPrice: loadMessagePrice,
  };
  const signal = AbortSignal.any([run.signal, stopped.signal, timeout]);
  try {
    const { runner, type } = settings;
    const typed = withAgentType(loadRunner(runner), { type, configDir: context.configDir });
    const result = await hostAgent(typed, hosted, ports, signal);
    await progress.close();
    // Also of a run that is given back: whoever takes it next begins with this.
    await workspace.keep();
    return endingOf(result, { order, isTimeout: timeout.aborted, before: progress.before });
  } finally {
    over.abort();
    await following;
  }
}

// Where the log stands: a new prompt, an answer that was given, or a run that was interrupted.
async function begin(
  { request, events }: ClaimedRun,
  transcript: RunTranscript,
  { restoredAt }: RunWorkspaceFolder,
): Promise<readonly unknown[] | undefined> {
  const lastEnd = events.findLastIndex(({ event }) => event.kind === "finished");
  const isBegun = events
    .slice(lastEnd + 1)
    .some(({ event }) => event.kind === "entry" || event.kind === "large-entry");
  const end = readConversationEnd(await transcript.readEntries());
  for (const draft of end.interrupted) await transcript.append(draft);
  if (!isBegun) {
    await transcript.append(promptDraft(request.prompt));
    return undefined;
  }
  if (end.isAnswered) return end.answer;
  await transcript.append({ ...promptDraft(`${movedText(restoredAt)} ${continuePrompt}`), isMeta: true });
  return undefined;
}

function movedText(restoredAt: string | undefined): string {
  const since = restoredAt === undefined ? "the beginning of the run" : restoredAt;
  return `This run has moved to another machine. Files are as they were at ${since}: look before you rely on later changes.`;
}

function agentSettings({ request }: ClaimedRun, cwd: string): AgentSettings & { runner: RunnerSpec } {
  const { runner, type = "general-purpose", model, permission, limits } = request.agent;
  // A script is a file of the workspace.
  const script = runner.script === undefined ? undefined : path.resolve(cwd, runner.script);
  return {
    agentId: request.sessionId,
    transcript: { path: "", sessionId: request.sessionId },
    type,
    runner: { ...runner, ...(script !== undefined && { script }) } as RunnerSpec,
    ...(model !== undefined && { model }),
    prompt: "",
    permission,
    limits,
    depth: 1,
  };
}

// Before a tool that was allowed runs, it is certain that the run is still ours: what it does cannot be fenced.
function fencedAsker(
  { configDir }: HostContext,
  run: ClaimedRun,
  { files, settings, cwd }: { files: TaskFiles; settings: AgentSettings; cwd: string },
): AgentHostPorts["askPermission"] {
  const place = { cwd, userHome: os.homedir() };
  const ask = permissionAsker({ policy: settings.permission, files, configDir, place, clock: systemClock });
  return async (request, { signal, onNeeded }) => {
    const answer = await ask(request, {
      signal,
      onNeeded: (needed) => onNeeded(needed && { ...needed, requestId: `${run.epoch}.${needed.requestId}` }),
    });
    await run.confirm();
    return answer;
  };
}

// An answer to a question of an earlier worker answers nothing here.
function putAnswer(
  files: TaskFiles,
  { epoch }: ClaimedRun,
  { requestId, answer }: { requestId: string; answer: PermissionAnswer },
): void {
  const [asked, number = ""] = requestId.split(".");
  if (Number(asked) !== epoch || !/^\d+$/.test(number)) return;
  const file = { schemaVersion: 1, answer, by: "fleet", at: new Date().toISOString() };
  try {
    createFileAtomic(`${files.base}.answer.${number}`, `${JSON.stringify(file)}\n`);
  } catch {
    /* It was answered already. */
  }
}

function endingOf(
  result: AgentResult,
  {
    order,
    isTimeout,
    before,
  }: { order: StopOrder | undefined; isTimeout: boolean; before: RunProgressLog["before"] },
): RunEnding | undefined {
  const { outcome, content, totalDurationMs, totalTokens, totalToolUseCount, usage, costUsd } = result;
  const totals = {
    content,
    totalDurationMs,
    totalTokens: totalTokens + before.tokens,
    totalToolUseCount: totalToolUseCount + before.toolUses,
    usage: { ...usage },
    ...(costUsd !== undefined && { costUsd }),
  };
  switch (outcome.status) {
    case "completed":
      return { status: "completed", result: totals };
    case "failed":
      return { status: "failed", reason: outcome.error, result: totals };
    case "interrupted":
      if (order) return { status: "stopped", ...order };
      return isTimeout ? { status: "failed", reason: "it took too long", result: totals } : undefined;
  }
}

const noTotals = { totalDurationMs: 0, totalTokens: 0, totalToolUseCount: 0, usage: {} };
/** What a timer can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1;

// From the first claim on, whoever had it.
function timeLeftMs({ request, events }: ClaimedRun): number {
  if (request.timeoutMs === undefined) return TIMER_MS_MAX;
  const first = events.find(({ event }) => event.kind === "claimed" && event.run === request.run);
  const sinceMs = first ? Date.now() - Date.parse(first.at) : 0;
  return Math.max(0, request.timeoutMs - sinceMs);
}
