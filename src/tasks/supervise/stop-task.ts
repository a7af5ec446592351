import fs from "node:fs";
import { setTimeout } from "node:timers/promises";
import { stopGraceMs } from "../limits.ts";
import { stopKillWaitMs } from "../../lib/limits.ts";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import type { Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { livenessOf } from "../../lib/process-identity.ts";
import { taskError } from "../errors.ts";
import { readSupervisor, type StopRequest } from "../record/read-state.ts";
import { refreshed, type Task } from "../record/task.ts";
import { findMembers, signalProcess, type Member } from "./task-processes.ts";
import { isEnded, type EndedState } from "../record/task-state.ts";
import { touchTask } from "../record/touch-task.ts";
import { waitForEnd } from "../record/wait-task.ts";
import { wakeWaiting } from "../record/waiting-tasks.ts";

export interface StopOptions {
  /** Who stops it, for the ending: a person's login, a session, a process. */
  by: string;
  reason?: string | undefined;
  graceMs?: number | undefined;
  clock: Clock;
}

/**
 * Stops a task with everything it started, also what left its session or cleared its environment, and returns the
 * ending once nothing of it is left. TERM first, KILL after the grace. Throws `stop_failed` when a process would not die.
 */
export async function stopTask(
  task: Task,
  { by, reason, graceMs = stopGraceMs, clock }: StopOptions,
): Promise<EndedState> {
  const { state } = refreshed(task);
  if (isEnded(state)) {
    // What ended otherwise was seen to have left nothing.
    if (state.status === "lost") await endProcesses(task, graceMs);
    return state;
  }
  if (livenessOf(task.record.launcher) === "unknown") {
    const { host } = task.record.launcher;
    throw taskError(
      "stop_failed",
      `Cannot stop task "${task.record.id}": it runs on "${host}", which this process cannot see; it can only be given up, by force`,
      { fields: { host } },
    );
  }
  requestStop(task, { by, ...(reason !== undefined && { reason }), at: clock.now().toISOString() });
  wakeWaiting(task.files);
  // Several rounds: a command that was about to start when we looked runs only now.
  for (let rounds = 0; rounds < stopKillWaitMs / ROUND_MS; rounds++) {
    await endProcesses(task, graceMs);
    const ended = await waitForEnd(task, { timeoutMs: ROUND_MS });
    if (ended) return ended;
  }
  const pids = processesOf(task).map(({ pid }) => pid);
  throw taskError(
    "stop_failed",
    `Cannot stop task "${task.record.id}": ${pids.length > 0 ? `pid ${pids.join(", ")} did not die` : "its supervisor wrote no ending"}`,
    {
      retryable: true,
      fields: { pids },
    },
  );
}

/**
 * Stops a task that is ended elsewhere, by whoever runs it: says that it is to stop and waits. Undefined when nobody has
 * ended it in time.
 */
export async function askToStop(
  task: Task,
  { by, reason, clock }: StopOptions,
  { timeoutMs }: { timeoutMs: number },
): Promise<EndedState | undefined> {
  const { state } = refreshed(task);
  if (isEnded(state)) return state;
  requestStop(task, { by, ...(reason !== undefined && { reason }), at: clock.now().toISOString() });
  touchTask(task.files);
  return waitForEnd(task, { timeoutMs });
}

/**
 * Says that a task is to stop, before anything is done about it: whoever writes the ending reads it. The first request is
 * the one that is told.
 */
export function requestStop({ files }: Pick<Task, "files">, request: StopRequest): void {
  try {
    createFileAtomic(files.stop, `${JSON.stringify(request)}\n`);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") requestStopWithoutRoom(files);
  }
}

// A task that has filled the disk must be stopped all the same. A second name for its record takes no room, a word where its
// ending will be takes not even a name; both say that it was stopped, though not by whom.
function requestStopWithoutRoom({ record, stop, endingDraft }: Task["files"]): void {
  try {
    fs.linkSync(record, stop);
  } catch {
    sayStopped(endingDraft);
  }
}

function sayStopped(endingDraft: string): void {
  try {
    if (fs.readFileSync(endingDraft, "latin1").trim() !== "") return;
    const fd = fs.openSync(endingDraft, "r+");
    fs.writeSync(fd, "stopped");
    fs.closeSync(fd);
  } catch {
    /* On a read-only disk it cannot be said at all, only done. */
  }
}

async function endProcesses(task: Task, graceMs: number): Promise<void> {
  const told = new Set<string>();
  const tell = (each: Member): void => {
    told.add(`${each.pid} ${each.startTime}`);
    // The tools that a dead supervisor left have nothing to put in order, and ignore what it ignored.
    signalProcess(each, each.isTool ? "SIGKILL" : "SIGTERM", { isJustSeen: true });
  };
  for (const each of processesOf(task)) tell(each);
  // Only what is not suspended can obey, or write the ending.
  continueAll(task);
  // What is born while it stops is either there to clean up, for a parent that lives, or was just missed.
  const tellOrphans = (found: Member[]): void => {
    const pids = new Set(found.map(({ pid }) => pid));
    for (const each of found)
      if (!pids.has(each.parent) && !told.has(`${each.pid} ${each.startTime}`)) tell(each);
  };
  if (await isGone(task, { timeoutMs: graceMs, onFound: tellOrphans })) return;
  const kill = (found: Member[]): void => {
    for (const each of found) signalProcess(each, "SIGKILL", { isJustSeen: true });
  };
  await isGone(task, { timeoutMs: stopKillWaitMs, onFound: kill });
}

function continueAll(task: Task): void {
  const supervisor = readSupervisor(task.files, task.record);
  for (const each of processesOf(task)) signalProcess(each, "SIGCONT", { isJustSeen: true });
  if (supervisor) signalProcess(supervisor, "SIGCONT", { group: true });
}

const POLL_MS = 20;
const ROUND_MS = 200;

// The dead are looked for, not waited for: they are not our children.
async function isGone(
  task: Task,
  { timeoutMs, onFound }: { timeoutMs: number; onFound: (found: Member[]) => void },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = processesOf(task);
    if (found.length === 0) return true;
    onFound(found);
    if (performance.now() >= deadline) return false;
    await setTimeout(POLL_MS);
  }
}

function processesOf({ files, record }: Task): Member[] {
  return findMembers(files, readSupervisor(files, record));
}
