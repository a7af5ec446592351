import { parseTaskId } from "../../format/ids.ts";
import fs from "node:fs";
import { constants as osConstants } from "node:os";
import { createFileAtomic } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import { currentProcess, livenessOf, type ProcessIdentity } from "../../lib/process-identity.ts";
import { parseJson, readJson, unhanging } from "../../lib/read-json.ts";
import { readProgress } from "../kinds/agent/agent-progress.ts";
import { readResult } from "../kinds/agent/agent-result.ts";
import { hasFallenSilent, lastBeat } from "./heartbeat.ts";
import { countBusy, forgetEnded } from "./running-tasks.ts";
import { homeOf, type TaskFiles } from "./task-files.ts";
import { findTaskProcesses, hasMembers, isSupervisorThere } from "../supervise/task-processes.ts";
import type { TaskRecord } from "./task-record.ts";
import type { EndedState, FailureReason, RunningState, TaskState } from "./task-state.ts";
import { isAgent, listQueued, sharesPlaces, wakeWaiting } from "./waiting-tasks.ts";

/** The ending as the supervisor, or whoever declared the task lost, wrote it. */
interface EndingFile {
  schemaVersion: 1;
  exitCode?: number;
  reason: "exit" | "timeout" | "output-limit" | "stopped" | "lost";
  cause?: string;
}

export interface StopRequest {
  by: string;
  reason?: string;
  at: string;
}

/** What the files and processes say of a task now. Declares it lost, once for all readers, when its end can never come. */
export function readState(files: TaskFiles, record: TaskRecord): TaskState {
  const ended = readEnding(files);
  if (ended) return ended;
  const supervisor = readSupervisor(files, record);
  if (!supervisor && !fs.existsSync(files.record))
    return { status: "lost", endedAt: record.startedAt, cause: "its files were removed" };
  const place = supervisor && queuePlace(files, record);
  const liveness = livenessOf(supervisor ?? record.launcher);
  if (liveness === "unknown" && record.kind !== "remote_agent" && hasFallenSilent(files))
    return readEnding(files) ?? declareLost(files, record, silenceText(files, record));
  if (liveness !== "dead")
    return place
      ? { status: "queued", place }
      : {
          ...runningState(files, record, supervisor),
          ...(liveness === "unknown" && { unseen: unseenFacts(files, record) }),
        };
  // Dead, but it may have written its ending since we looked.
  // A remote run is followed from here, not run: it has ended when its log says so, whoever is dead here.
  const unfollowed = record.kind === "remote_agent" ? runningState(files, record, undefined) : undefined;
  return readEnding(files) ?? unfollowed ?? orphanState(files, record, supervisor);
}

/** The ending if it was written; it never changes afterwards. */
export function readEnding(files: TaskFiles): EndedState | undefined {
  const file = fs.existsSync(files.ending) ? files.ending : nameEnding(files);
  if (file === undefined) return undefined;
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return endedState(files, parseEnding(fs.readFileSync(fd, "utf8")), fs.fstatSync(fd).mtime.toISOString());
  } finally {
    fs.closeSync(fd);
  }
}

// A draft that is whole is decided; whoever sees it first gives it its name, so that it holds even if its supervisor is
// killed in this moment. Where it cannot have one, because the folder takes no more, it is the ending all the same.
function nameEnding({ endingDraft, ending }: TaskFiles): string | undefined {
  if (!isDecided(endingDraft)) return fs.existsSync(ending) ? ending : undefined;
  try {
    fs.linkSync(endingDraft, ending);
  } catch {
    /* It has its name already, or this home may not be written. */
  }
  return fs.existsSync(ending) ? ending : endingDraft;
}

/** Whether the ending is in the room that was set aside for it. */
export function isDecided(endingDraft: string): boolean {
  try {
    return parseEnding(fs.readFileSync(endingDraft, unhanging)) !== undefined;
  } catch {
    return false;
  }
}

function endedState(files: TaskFiles, ending: EndingFile | undefined, endedAt: string): EndedState {
  // It gets its name when it is whole; one that is not is what a power failure left.
  if (!ending) return { status: "lost", endedAt, cause: "its ending cannot be read" };
  const { exitCode = 0, reason } = ending;
  if (reason === "lost") return { status: "lost", endedAt, cause: ending.cause ?? "its process is gone" };
  const signal = signalOf(exitCode);
  const exit = { exitCode, ...(signal !== undefined && { signal }) };
  if (reason === "stopped" && !hasEndedElsewhere(files)) {
    const request = readJson(files.stop) as StopRequest | undefined;
    return {
      status: "stopped",
      endedAt,
      ...exit,
      stoppedBy: request?.by ?? "unknown",
      ...(request?.reason !== undefined && { stopReason: request.reason }),
    };
  }
  const isExit = reason === "exit" || reason === "stopped";
  if (exitCode === 0 && isExit) return { status: "completed", endedAt, exitCode: 0 };
  return { status: "failed", endedAt, ...exit, reason: isExit ? failureOf(files) : reason };
}

// How a run on the fleet has ended is what its log says: a stop that came too late has changed nothing.
function hasEndedElsewhere(files: TaskFiles): boolean {
  const outcome = parseTaskId(files.id)?.kind === "remote" ? readResult(files)?.outcome : undefined;
  return outcome !== undefined && outcome.status !== "interrupted";
}

// Why an agent failed is in its result; of a command there is none.
function failureOf(files: TaskFiles): FailureReason {
  const outcome = readResult(files)?.outcome;
  return outcome?.status === "failed" ? outcome.reason : "exit";
}

const reasons = new Set<EndingFile["reason"]>(["exit", "timeout", "output-limit", "stopped", "lost"]);

function parseEnding(text: string): EndingFile | undefined {
  const ending = parseJson(text) as EndingFile | null | undefined;
  return ending && reasons.has(ending.reason) ? ending : undefined;
}

function runningState(
  files: TaskFiles,
  record: TaskRecord,
  supervisor: ProcessIdentity | undefined,
): RunningState {
  const exitCode = readNumber(files.exit);
  const needsInput = record.agent && readProgress(files)?.needsInput;
  return {
    status: "running",
    ...(supervisor && { pid: supervisor.pid }),
    ...(needsInput && { needsInput }),
    ...(exitCode !== undefined && {
      survivors: { exitCode, pids: findTaskProcesses(files.id).map(({ pid }) => pid) },
    }),
  };
}

// How many ends it is away from its start. It is woken if it should have started: whoever ended last was killed before it woke it.
function queuePlace(files: TaskFiles, { shell: { waitsFor } }: TaskRecord): number | undefined {
  if (!waitsFor || fs.existsSync(files.started)) return undefined;
  if (waitsFor.bases.length === 0) return placeInLine(files, waitsFor.slots);
  // One that was removed had ended.
  const busy = waitsFor.bases.filter(
    (base) => fs.existsSync(`${base}.json`) && !fs.existsSync(`${base}.end.json`),
  ).length;
  if (busy === 0) wakeWaiting(files);
  return Math.max(1, busy);
}

function placeInLine(files: TaskFiles, slots: number): number {
  const isCounted = sharesPlaces(files.id);
  const queued = listQueued(files).filter(isCounted);
  const line = queued.filter((id) => isAgent(id) === isAgent(files.id));
  const before = line.indexOf(files.id);
  const max = slots + queued.length;
  if (before === 0 && countBusy(homeOf(files), { max, isCounted }) < max) wakeWaiting(files);
  return (before < 0 ? line.length : before) + 1;
}

/** Who supervises; undefined in the moment before the supervisor has said so. */
export function readSupervisor(files: TaskFiles, { launcher }: TaskRecord): ProcessIdentity | undefined {
  const run = readJson(files.run) as Pick<ProcessIdentity, "pid" | "startTime" | "bootId"> | undefined;
  // The supervisor is a child of its launcher: same host, same namespace.
  return run && { ...run, host: launcher.host, pidNamespace: launcher.pidNamespace };
}

/** The state of a task without a living supervisor: it runs while anything of it does, else it is lost. */
function orphanState(
  files: TaskFiles,
  record: TaskRecord,
  supervisor: ProcessIdentity | undefined,
): TaskState {
  if (hasMembers(files, supervisor)) return runningState(files, record, undefined);
  if (supervisor && supervisor.pid !== NOBODY)
    return declareLost(files, record, `its supervisor (pid ${supervisor.pid}) is gone without an ending`);
  // The launcher may have died between starting the supervisor and its first word. Nobody can say so after a reboot.
  const mayBegin = !supervisor && record.launcher.bootId === currentProcess().bootId;
  // Acknowledged, but on a busy machine not in charge yet.
  if (mayBegin && isSupervisorThere(files.id)) return { status: "running" };
  if (mayBegin && !withdrawStart(files)) return { status: "running" };
  return declareLost(files, record, "the process that would start it died before");
}

const NOBODY = 0;

/**
 * Sees to it that a task which nobody supervises yet is never started: of a supervisor that begins and this call, the
 * one that creates the run file prevails. False when the supervisor did.
 */
export function withdrawStart(files: Pick<TaskFiles, "run">): boolean {
  const { bootId } = currentProcess();
  try {
    createFileAtomic(files.run, `${JSON.stringify({ pid: NOBODY, startTime: "", bootId })}\n`);
    return true;
  } catch {
    return !fs.existsSync(files.run);
  }
}

/** Whether it runs where this process cannot look: on another host or in another pid namespace. */
export function isUnseen({ files, record }: { files: TaskFiles; record: TaskRecord }): boolean {
  return livenessOf(readSupervisor(files, record) ?? record.launcher) === "unknown";
}

function unseenFacts(
  files: TaskFiles,
  { launcher: { host } }: TaskRecord,
): NonNullable<RunningState["unseen"]> {
  const lastBeatAt = lastBeat(files)?.toISOString();
  return { host, ...(lastBeatAt !== undefined && { lastBeatAt }) };
}

function silenceText(files: TaskFiles, { launcher: { host } }: TaskRecord): string {
  return `it ran on "${host}", out of sight from here, and has given no sign of life since ${lastBeat(files)?.toISOString()}`;
}

/** Says once for all readers that it is lost; what was written before counts. */
export function declareLost(files: TaskFiles, record: TaskRecord, cause: string): EndedState {
  const lastSeen = fs.statSync(files.run, { throwIfNoEntry: false })?.mtime.toISOString() ?? record.startedAt;
  const ending: EndingFile = { schemaVersion: 1, reason: "lost", cause };
  try {
    createFileAtomic(files.ending, `${JSON.stringify(ending)}\n`);
  } catch (error) {
    // On a full or read-only disk it is not written down; whoever looks next says the same.
    if (codeOf(error) !== "EEXIST") return { status: "lost", endedAt: lastSeen, cause };
  }
  forgetEnded(files);
  return readEnding(files) ?? { status: "lost", endedAt: lastSeen, cause };
}

// A shell says 128 + n for a command that died of signal n; a command that exits so by itself looks the same.
function signalOf(exitCode: number): string | undefined {
  if (exitCode <= 128) return undefined;
  return Object.entries(osConstants.signals).find(([, number]) => number === exitCode - 128)?.[0];
}

// Empty while it is written, and when the disk was full.
function readNumber(file: string): number | undefined {
  try {
    const text = fs.readFileSync(file, "latin1").trim();
    return text === "" ? undefined : Number(text);
  } catch {
    return undefined;
  }
}
