import fs from "node:fs";
import type { FleetConnection } from "../transport/connection.ts";
import { sendControl, type ControlAnswer } from "../transport/controls.ts";
import { fleetError } from "../errors.ts";
import { followMessages } from "../transport/follow-messages.ts";
import { entriesOf } from "../transport/large-entries.ts";
import { parseEvent, type LogEvent, type RunEnding } from "../transport/log-event.ts";
import { logStream, logSubject } from "../transport/names.ts";
import type { BundledWorkspace } from "../transport/run-request.ts";
import { findSessionState } from "../transport/session-states.ts";
import { taskCheckMs } from "../../format/limits.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { readJson } from "../../lib/read-json.ts";
import { noUsage, type AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import { forgetMessage, readMessages } from "../../tasks/kinds/agent/inbox.ts";
import type { StopRequest } from "../../tasks/record/read-state.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { TaskRecord } from "../../tasks/record/task-record.ts";
import { touchTask } from "../../tasks/record/touch-task.ts";
import { requestStop } from "../../tasks/supervise/stop-task.ts";
import { openLocalMirror } from "./local-mirror.ts";

export interface FollowedTask {
  record: TaskRecord;
  files: TaskFiles;
}

/**
 * Follows a remote run until its log says that it has ended: mirrors the transcript, shows the progress, hands on what is
 * asked of it here. A follower that died is followed by another, from where it was.
 */
export async function followRun(
  connection: FleetConnection,
  task: FollowedTask,
  { signal }: { signal: AbortSignal },
): Promise<RunEnding | undefined> {
  const { record, files } = task;
  const { sessionId, run } = record.remote!;
  const kept = await findSessionState(connection, sessionId);
  if (!kept) return unknownRun(task);
  const { shard } = kept.state;
  const mirror = await openLocalMirror(record, files);
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const handing = handOn(connection, task, { signal: until, onGone: () => over.abort() });
  try {
    const log = { stream: logStream(shard), subject: logSubject({ shard, sessionId }) };
    for await (const message of followMessages(connection, {
      ...log,
      after: mirror.after,
      signal: until,
    })) {
      const event = parseEvent(message.data);
      const entries = event ? await entriesOf(connection, event) : [];
      for (const entry of entries) await mirror.append(entry);
      if (event) show(task, event);
      // The end is never passed: a follower that dies before it has said so everywhere finds it again.
      if (event?.kind === "finished" && event.run >= run) {
        writeResult(task, event.ending);
        return event.ending;
      }
      mirror.reached(message.sequence);
    }
    return undefined;
  } finally {
    over.abort();
    await handing;
    await mirror.close();
  }
}

// Another fleet, or one that has forgotten it. Nobody can say how it ended, so it has not; unless somebody gave it up.
function unknownRun(task: FollowedTask): RunEnding {
  const { sessionId } = task.record.remote!;
  const given = readJson(task.files.stop) as StopRequest | undefined;
  if (!given)
    throw fleetError("run_not_found", `Cannot follow session "${sessionId}": this fleet does not know it`);
  const ending: RunEnding = { status: "stopped", ...orderOf(given) };
  writeResult(task, ending);
  return ending;
}

// Nothing else that the file holds goes out: on a full disk it is the record.
function orderOf({ by, reason }: StopRequest): { by: string; reason?: string } {
  return { by, ...(reason !== undefined && { reason }) };
}

function show({ files }: FollowedTask, event: LogEvent): void {
  const replace = (file: string, value: object): void =>
    writeFileAtomic(file, `${JSON.stringify(value)}\n`, { isDurable: false });
  if (event.kind === "progress") {
    replace(files.progress, event.progress);
    touchTask(files);
  }
  if (event.kind === "workspace") replace(workspacePath(files), event);
  if (event.kind === "workspace-refused") {
    const known = readKeptWorkspace(files);
    replace(workspacePath(files), { ...known, refused: event.why });
  }
}

/** The newest state of the workspace that was kept, and why it is not the newest there was. */
export interface KeptWorkspace {
  workspace?: BundledWorkspace;
  leftOut?: readonly string[];
  refused?: string;
}

export function readKeptWorkspace(files: TaskFiles): KeptWorkspace {
  return (readJson(workspacePath(files)) as KeptWorkspace | undefined) ?? {};
}

function workspacePath({ base }: TaskFiles): string {
  return `${base}.workspace.json`;
}

function writeResult({ record, files }: FollowedTask, ending: RunEnding): void {
  const totals = ending.status === "stopped" ? undefined : ending.result;
  const result: AgentResult = {
    schemaVersion: 1,
    agentId: record.id,
    outcome: outcomeOf(ending),
    content: (totals?.content ?? []) as AgentResult["content"],
    totalDurationMs: totals?.totalDurationMs ?? 0,
    totalTokens: totals?.totalTokens ?? 0,
    totalToolUseCount: totals?.totalToolUseCount ?? 0,
    usage: { ...noUsage, ...totals?.usage },
    ...(totals?.costUsd !== undefined && { costUsd: totals.costUsd }),
  };
  writeFileAtomic(files.result, `${JSON.stringify(result)}\n`);
  // Somebody else may have stopped it, from another machine.
  if (ending.status === "stopped") {
    const { status: _, ...order } = ending;
    requestStop({ files }, { ...order, at: new Date().toISOString() });
  }
}

function outcomeOf(ending: RunEnding): AgentResult["outcome"] {
  switch (ending.status) {
    case "completed":
      return { status: "completed" };
    case "failed":
      return { status: "failed", reason: "agent-error", error: ending.reason };
    case "stopped":
      return { status: "interrupted" };
  }
}

// Stops, messages and answers are files beside the record, as for a local agent. Each goes to the fleet once; a message is
// known by its id, so that one whose file outlives a follower is not heard twice.
async function handOn(
  connection: FleetConnection,
  { record, files }: FollowedTask,
  { signal, onGone }: { signal: AbortSignal; onGone: () => void },
): Promise<void> {
  const run = record.remote!;
  const changes = watchChanges([files.endingDraft], { checkMs: taskCheckMs, signal });
  let isStopTold = false;
  const answered = new Set<string>();
  try {
    do {
      try {
        await handOnNow();
      } catch {
        /* The fleet is away; the next check tries again. */
      }
      // Whoever removed the task, or its whole home, wants nothing more of it here.
      if (!fs.existsSync(files.record)) return onGone();
    } while ((await changes.next()) !== "aborted");
  } finally {
    changes.close();
  }

  async function handOnNow(): Promise<void> {
    const stop = isStopTold ? undefined : (readJson(files.stop) as StopRequest | undefined);
    if (stop) {
      await sendControl(connection, run, { kind: "stop", ...orderOf(stop) });
      isStopTold = true;
    }
    for (const message of readMessages(files)) {
      await sendControl(connection, run, { kind: "say", ...message });
      forgetMessage(files, message);
    }
    const requestId = (readJson(files.progress) as AgentProgress | undefined)?.needsInput?.requestId;
    if (requestId === undefined || answered.has(requestId)) return;
    const file = `${files.base}.answer.${requestId}`;
    const given = fs.existsSync(file)
      ? (readJson(file) as { answer?: ControlAnswer } | undefined)
      : undefined;
    if (!given?.answer) return;
    await sendControl(connection, run, { kind: "answer", requestId, answer: given.answer });
    answered.add(requestId);
  }
}
