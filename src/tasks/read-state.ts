import fs from "node:fs";
import { constants as osConstants } from "node:os";
import { createFileAtomic } from "../lib/atomic-write.ts";
import { codeOf } from "../lib/errors.ts";
import { currentProcess, livenessOf, type ProcessIdentity } from "../lib/process-identity.ts";
import { readJson, type TaskFiles } from "./task-files.ts";
import { findTaskProcesses } from "./task-processes.ts";
import type { TaskRecord } from "./task-record.ts";
import type { EndedState, FailureReason, RunningState, TaskState } from "./task-state.ts";

/** The ending as the supervisor, or whoever declared the task lost, wrote it. */
interface EndingFile {
  schemaVersion: 1;
  exitCode?: number;
  reason: FailureReason | "stopped" | "lost";
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
  const supervisor = readSupervisor(files);
  const place = supervisor && queuePlace(files, record);
  const liveness = livenessOf(supervisor ?? record.launcher);
  if (liveness !== "dead") return place ? { status: "queued", place } : runningState(files, supervisor);
  // Dead, but it may have written its ending since we looked.
  return readEnding(files) ?? declareLost(files, record, supervisor);
}

/** The ending if it was written; it never changes afterwards. */
export function readEnding(files: TaskFiles): EndedState | undefined {
  const ending = readJson(files.ending) as EndingFile | undefined;
  if (ending === undefined) return undefined;
  const endedAt = fs.statSync(files.ending).mtime.toISOString();
  const { exitCode = 0, reason } = ending;
  if (reason === "lost") return { status: "lost", endedAt, cause: ending.cause ?? "its process is gone" };
  const signal = signalOf(exitCode);
  const exit = { exitCode, ...(signal !== undefined && { signal }) };
  if (reason === "stopped") {
    const request = readJson(files.stop) as StopRequest | undefined;
    return {
      status: "stopped",
      endedAt,
      ...exit,
      stoppedBy: request?.by ?? "unknown",
      ...(request?.reason !== undefined && { stopReason: request.reason }),
    };
  }
  if (exitCode === 0 && reason === "exit") return { status: "completed", endedAt, exitCode: 0 };
  return { status: "failed", endedAt, ...exit, reason };
}

function runningState(files: TaskFiles, supervisor: ProcessIdentity | undefined): RunningState {
  const exitCode = readNumber(files.exit);
  return {
    status: "running",
    ...(supervisor && { pid: supervisor.pid }),
    ...(exitCode !== undefined && {
      survivors: { exitCode, pids: findTaskProcesses(files.id).map(({ pid }) => pid) },
    }),
  };
}

function queuePlace(files: TaskFiles, { shell: { waitsFor } }: TaskRecord): number | undefined {
  if (!waitsFor || fs.existsSync(files.started)) return undefined;
  const busy = waitsFor.bases.filter((base) => !fs.existsSync(`${base}.end.json`)).length;
  return Math.max(1, busy - waitsFor.slots + 1);
}

/** Who supervises; undefined in the moment before the supervisor has said so. */
export function readSupervisor(files: TaskFiles): ProcessIdentity | undefined {
  const run = readJson(files.run) as Pick<ProcessIdentity, "pid" | "startTime" | "bootId"> | undefined;
  if (run === undefined) return undefined;
  // The supervisor is a child of some Holdfast process: same host, same namespace as the home's users.
  const { host, pidNamespace } = currentProcess();
  return { ...run, host, pidNamespace };
}

// The launcher may have died between starting the supervisor and its first word: the marker would tell.
function declareLost(
  files: TaskFiles,
  record: TaskRecord,
  supervisor: ProcessIdentity | undefined,
): TaskState {
  if (!supervisor && findTaskProcesses(record.id).length > 0) return { status: "running" };
  const cause = supervisor
    ? `its supervisor (pid ${supervisor.pid}) is gone without an ending`
    : "its launcher died before it started";
  const ending: EndingFile = { schemaVersion: 1, reason: "lost", cause };
  try {
    createFileAtomic(files.ending, `${JSON.stringify(ending)}\n`);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return readEnding(files)!;
}

// A shell says 128 + n for a command that died of signal n; a command that exits so by itself looks the same.
function signalOf(exitCode: number): string | undefined {
  if (exitCode <= 128) return undefined;
  return Object.entries(osConstants.signals).find(([, number]) => number === exitCode - 128)?.[0];
}

function readNumber(file: string): number | undefined {
  try {
    return Number(fs.readFileSync(file, "latin1"));
  } catch {
    return undefined;
  }
}
