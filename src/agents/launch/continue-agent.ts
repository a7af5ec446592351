import { uuidOf } from "../../format/entry-kinds.ts";
import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { acquireLease } from "../../lib/lease.ts";
import type { Suggestion } from "../../lib/suggestion.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import { taskError } from "../../tasks/errors.ts";
import { unnamedWork } from "../../tasks/record/launched-work.ts";
import { newTaskFiles } from "../../tasks/record/new-task-files.ts";
import { confirmNotice } from "../../tasks/notices/confirm.ts";
import { readEnding } from "../../tasks/record/read-state.ts";
import { refreshed, type Task } from "../../tasks/record/task.ts";
import { isEnded } from "../../tasks/record/task-state.ts";
import type { LaunchState } from "../../tasks/kinds/shell/launch-shell.ts";
import type { AgentRequest } from "./agent-request.ts";
import { checkFence, checkRunner } from "./check-runner.ts";
import type { AgentSettings, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import { openTranscript, transcriptOf, writeMeta } from "./agent-transcript.ts";
import { readContext } from "../host/agent-writer.ts";
import { continuedAs, writeContinuation } from "../../tasks/kinds/agent/continuation.ts";
import { forgetMessage, readMessages } from "../../tasks/kinds/agent/inbox.ts";
import { launchHost, promptPreview, recordOf, type AgentLaunchContext } from "./launch-agent.ts";
import { readAllowed, writeAllowed } from "../../tasks/kinds/agent/permission-answer.ts";
import { oweAnswer } from "../main-session/owe-answer.ts";
import { readOwed } from "../../store/owed/owed-answer.ts";
import { promptDraft, readConversationEnd } from "./prompt-entries.ts";
import type { AgentTask } from "../host/host-local-agent.ts";

/** How to continue an ended agent. What is absent stays as it was. */
export interface ContinueRequest extends Partial<
  Pick<AgentRequest, "runner" | "model" | "permission" | "limits" | "timeoutMs" | "env" | "muted" | "queue">
> {
  /** What is said to it now. An agent that has given its answer goes on only if something is. */
  prompt?: string | undefined;
}

/**
 * Goes on with an agent that has ended, from its transcript, as a new task: the same agent with the same conversation.
 * Whatever it had asked a tool to do and has no result of is told to be interrupted, and is not done again. The notice of
 * the old task is taken, because the new one's will come. Throws `task_refused` when it cannot go on, `conflict` when
 * somebody else continues it or writes its transcript.
 */
export async function continueAgent(
  context: AgentLaunchContext,
  task: Task,
  request: ContinueRequest,
  state: LaunchState,
): Promise<AgentTask> {
  const old = checkContinuable(task, request);
  const runner = await checkRunner(request.runner ?? old.record.agent.runner!, old.record.cwd);
  const permission = request.permission ?? old.record.agent.permission;
  checkFence(runner, { permission, env: { ...context.env, ...request.env } });
  const { leasesDir } = holdfastPaths(context.home);
  const lease = acquireLease(path.join(leasesDir, `continue-${old.files.id}.lease`), {
    subject: old.files.id,
    kind: "task",
  });
  try {
    const known = continuedAs(old.files);
    if (known !== undefined) throw refused(task, `it was continued as ${known}`, { continuedAs: known });
    const next = nextTask(context, old, { ...request, runner }, state);
    writeContinuation(old.files, next.files.id);
    await bringUpToDate(context, old, next, request);
    await launchHost(context, next, request);
    confirmNotice(task, { by: `continued as ${next.files.id}`, clock: context.clock });
    return next;
  } finally {
    lease.release();
  }
}

function checkContinuable(task: Task, { runner, prompt }: ContinueRequest): AgentTask {
  const { record, files } = task;
  const { state } = refreshed(task);
  if (!record.agent)
    throw refused(task, "it is a command, not an agent", {
      suggestion: { verb: "restart", args: [record.id] } satisfies Suggestion,
    });
  if (!isEnded(state)) throw refused(task, `it is ${state.status}; send it a message instead`);
  if (!runner && !record.agent.runner)
    throw refused(task, "only the program that ran it knows how; name a runner");
  if (!fs.existsSync(transcriptOf(files, record.agent).path)) throw refused(task, "its transcript is gone");
  if (prompt !== undefined && prompt.trim() === "") throw refused(task, "the prompt is empty");
  if (state.status === "completed" && prompt === undefined)
    throw refused(task, "it has answered; give it a prompt");
  return { record: { ...record, agent: record.agent }, files };
}

function nextTask(
  context: AgentLaunchContext,
  { record, files }: AgentTask,
  request: ContinueRequest & { runner: RunnerSpec },
  state: LaunchState,
): AgentTask {
  // Whoever continues it decides anew what it may use.
  const { isInProcess: _, budget: __, ...before } = record.agent;
  const { runner, model = before.model, limits = before.limits, prompt } = request;
  const next = newTaskFiles(context.home, { cwd: record.cwd, kind: "agent" });
  const agent: AgentSettings = {
    ...before,
    transcript: transcriptOf(files, record.agent),
    runner,
    ...(model !== undefined && { model }),
    ...(prompt !== undefined && { prompt: promptPreview(prompt) }),
    permission: request.permission ?? before.permission,
    limits,
    ...(Object.keys(limits).length > 0 && { budget: next.budget }),
    continues: record.id,
  };
  const { name, description, cwd, sessionId, toolUseId } = record;
  // One that had not answered goes on with what it was launched for; what is said to one that had belongs to its conversation.
  const isSame = readEnding(files)?.status !== "completed";
  const work = { ...unnamedWork({ cwd }), ...(isSame && { fingerprint: record.work?.fingerprint ?? "" }) };
  const asked = { ...request, prompt: agent.prompt, name, description, cwd, sessionId, toolUseId };
  return { record: recordOf(context, asked, { id: next.id, agent, work, state }), files: next };
}

// All of it under the lease of the transcript: nobody else writes it, and the host finds a conversation it can go on with.
async function bringUpToDate(
  context: AgentLaunchContext,
  old: AgentTask,
  next: AgentTask,
  { prompt }: ContinueRequest,
): Promise<void> {
  const { transcript } = next.record.agent;
  const writer = await openTranscript(context, {
    transcript,
    cwd: next.record.cwd,
    durability: "sync",
  });
  try {
    const entries = await readContext(transcript);
    const recorded = new Set(entries.map(uuidOf));
    const { interrupted, said } = readConversationEnd(entries);
    // What it says from now on is for its session, too, like what that may not have yet.
    const { sessionId, agentId } = transcript;
    if (next.record.agent.isOwed && agentId !== undefined) {
      const before = readOwed(context.home, { sessionId, agentId });
      oweAnswer(context, next, { after: before ? before.after : writer.leaf });
    }
    for (const draft of interrupted) await writer.append(draft);
    for (const message of readMessages(old.files)) {
      const draft: EntryDraft = { ...promptDraft(message.text), uuid: message.id };
      if (!recorded.has(message.id)) await writer.append(draft);
      forgetMessage(old.files, message);
    }
    // A try that did not start has said it already.
    if (prompt !== undefined && prompt !== said) await writer.append(promptDraft(prompt));
    writeMeta(transcript, { finished: false });
    writeAllowed(next.files, readAllowed(old.files));
  } finally {
    await writer.close();
  }
}

function refused({ record }: Task, why: string, fields: Record<string, unknown> = {}): Error {
  return taskError("task_refused", `Cannot continue task "${record.id}": ${why}`, { fields });
}
