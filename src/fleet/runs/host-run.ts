import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { FleetConnection } from "../transport/connection.ts";
import type { ClaimedRun, RunAgent } from "./handle-run.ts";
import type { RunEnding } from "../transport/log-event.ts";
import type { RunAgentSettings } from "../transport/run-request.ts";
import { carefulGit } from "../workspace/git.ts";
import { currentProcess } from "../../lib/process-identity.ts";
import { systemClock } from "../../lib/clock.ts";
import { toAnthropicMessages } from "../../store/chat-messages/to-anthropic-messages.ts";
import { loadPrices } from "../../usage/prices/price.ts";
import { readPrices } from "../../usage/prices/read-prices.ts";
import type { ConfigPlace } from "../../store/config/read-config.ts";
import { ownedTasks, type StartableTasks } from "../../agents/host/agent-tasks.ts";
import type { RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import { defaultAgentType } from "../../agents/launch/agent-request.ts";
import { driveRunner, type AgentHostPorts } from "../../agents/host/drive-runner.ts";
import { createLedgerFile } from "../../agents/host/ledger-file.ts";
import { linkResults } from "../../agents/host/link-results.ts";
import { PermissionJudge } from "../../agents/host/permission-judge.ts";
import { findBash } from "../../lib/find-bash.ts";
import { continuePrompt, promptDraft, readConversationEnd } from "../../agents/launch/prompt-entries.ts";
import { openAgents } from "../../agents/open-agents.ts";
import { openTasks } from "../../tasks/open-tasks.ts";
import { openLauncher } from "../../tasks/supervise/open-launcher.ts";
import type { OwnPrograms } from "../../tasks/supervise/own-program.ts";
import { taskFiles } from "../../tasks/record/task-files.ts";
import { loadRunner } from "../../agents/load-runner.ts";
import { withAgentType } from "../../agents/with-agent-type.ts";
import { RunControls, type StopOrder } from "./run-controls.ts";
import { answeredEnding, endingOf, timeoutOf } from "./run-ending.ts";
import { RunProgressLog } from "./run-progress.ts";
import { runQuestions } from "./run-questions.ts";
import { RunSpending } from "./run-spending.ts";
import { openRunTranscript, type RunTranscript } from "./run-transcript.ts";
import { openRunWorkspace } from "./run-workspace.ts";

export interface HostContext {
  connection: FleetConnection;
  /** Where runs have their folders. */
  runsDir: string;
  /** The worker's own config folder, whose settings hold when rules decide. */
  configDir: string;
  /** The environment of whatever agents start: this is where the worker's keys are. */
  env: Readonly<Record<string, string | undefined>>;
  /** The worker's own settings, whose prices hold. */
  settings: ConfigPlace;
  /** What agents that an agent starts are hosted by. */
  programs: OwnPrograms;
}

/**
 * Runs an agent on a worker, by the same host as a local one, with the log of its session as its transcript. A run that
 * another worker began goes on after what is recorded: a tool use without a result is told to the agent as interrupted.
 */
export function hostRuns(context: HostContext): RunAgent {
  return async (run) => {
    // Made and removed without holding up the other runs of this worker: a busy disk takes its time.
    const dir = path.join(context.runsDir, `${run.request.sessionId}-${run.epoch}`);
    const removeDir = (): Promise<void> => fs.promises.rm(dir, { recursive: true, force: true });
    // A worker that was killed may have left one of an earlier fleet.
    await removeDir();
    await fs.promises.mkdir(dir, { mode: 0o700 });
    const [home, configDir] = [path.join(dir, "home"), path.join(dir, "config")];
    const launcher = openLauncher({ home, env: context.env, clock: systemClock, programs: context.programs });
    const tasks = openTasks({ home, clock: systemClock, launcher, isSessionAlive: () => true });
    const agents = openAgents({ home, configDir, launcher, tasks });
    try {
      return await drive(context, run, { dir, tasks, agents });
    } finally {
      // What the agent left running would otherwise work on in a folder that is gone.
      for (const task of await tasks.list()) await tasks.stop(task, { by: "fleet worker" }).catch(() => {});
      await tasks.close();
      await removeDir();
    }
  };
}

async function drive(
  context: HostContext,
  run: ClaimedRun,
  { dir, ...startable }: { dir: string } & StartableTasks,
): Promise<RunEnding | undefined> {
  const { connection, configDir, env } = context;
  const { sessionId, agent } = run.request;
  const { type = defaultAgentType, model, permission, limits } = agent;
  const workspace = await openRunWorkspace({ connection, git: carefulGit(env), dir }, run);
  const { cwd } = workspace;
  const transcript = await openRunTranscript({ connection, dir, cwd }, run);
  const answered = await beginRun(run, transcript, workspace);
  if (answered) return answeredEnding(answered);

  const spec = runnerSpec(agent, cwd);
  const place = { cwd, userHome: os.homedir(), hasBash: findBash(env) !== undefined };
  const judge = new PermissionJudge({ policy: permission, configDir, place });
  const questions = runQuestions(run, {
    judge,
    files: taskFiles(path.join(dir, "home"), { projectKey: "run", id: "r00000000" }),
    clock: systemClock,
  });
  const budget = path.join(dir, "budget");
  const spending = new RunSpending(run, createLedgerFile(budget, { owner: currentProcess() }));
  const progress = new RunProgressLog(run);
  const stopped = new AbortController();
  let order: StopOrder | undefined;
  const controls = new RunControls(run, {
    onStop(given) {
      order ??= given;
      stopped.abort();
    },
    onAnswer: (requestId, answer) => questions.answer(requestId, answer),
    isSaid: (id) => transcript.has(id),
  });
  const ports: AgentHostPorts = {
    append: linkResults(async (draft) => {
      const uuid = await transcript.append(draft);
      if (draft.type === "user") await workspace.keepSometimes();
      return uuid;
    }),
    onProgress: (read) => progress.show(read()),
    askPermission: questions.ask,
    readMessages: () => controls.messages,
    forgetMessage: (message) => controls.forget(message),
    readConversation: async () => toAnthropicMessages(await transcript.readEntries()),
    clock: systemClock,
    loadPrice: async () => loadPrices(readPrices(context.settings)),
    ledger: spending.ledger,
    onTaken: () => spending.tell(),
  };
  const entries = await transcript.readEntries();
  const hosted = {
    agentId: sessionId,
    limits,
    request: {
      messages: toAnthropicMessages(entries),
      prompt: readConversationEnd(entries).said ?? continuePrompt,
      cwd,
      env,
      ...(model !== undefined && { model }),
      permission,
      whyDenied: judge.whyDenied,
      tasks: ownedTasks(startable, { ...agent, budget, runner: spec, cwd, sessionId }),
    },
  };
  const over = new AbortController();
  const following = controls.follow(AbortSignal.any([run.signal, over.signal])).catch(() => {});
  const timeout = timeoutOf(run);
  const signal = AbortSignal.any([run.signal, stopped.signal, ...(timeout ? [timeout] : [])]);
  try {
    // A worker that obeyed a stop may have died before the run had ended: nothing more is done then.
    await controls.caughtUp();
    if (order) return { status: "stopped", ...order };
    const runner = withAgentType(loadRunner(spec), { type, configDir });
    const result = await driveRunner(runner, hosted, ports, signal);
    await progress.close();
    // Also of a run that is given back: whoever takes it next begins with this.
    await workspace.keep();
    return endingOf(result, { order, isTimeout: timeout?.aborted === true, before: progress.before });
  } finally {
    over.abort();
    spending.close();
    await following;
  }
}

// Goes to where the log stands: says the prompt of a new run; tells an interrupted one that it has moved, and which tool uses
// have no result. The answer, when the worker before this one died after it was given.
async function beginRun(
  { request, events }: ClaimedRun,
  transcript: RunTranscript,
  { restoredAt }: { restoredAt: string | undefined },
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
  return `This run has moved to another machine. Files are as they were at ${since}: check before you rely on later changes.`;
}

// A script is a file of the workspace.
function runnerSpec({ runner }: RunAgentSettings, cwd: string): RunnerSpec {
  const script = runner.script === undefined ? undefined : path.resolve(cwd, runner.script);
  return { ...runner, ...(script !== undefined && { script }) } as RunnerSpec;
}
