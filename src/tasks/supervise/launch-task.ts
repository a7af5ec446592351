import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { commandMarker } from "../../format/command-marker.ts";
import { stopGraceMs } from "../limits.ts";
import { syncFileAndFolder } from "../../lib/atomic-write-async.ts";
import type { Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { taskError } from "../errors.ts";
import type { EnvChanges } from "./command-environment.ts";
import type { StartRequest, TaskStarter, TaskStreams } from "./start-process.ts";
import { supervisorText, wayToKeepTail } from "./supervisor-text.ts";
import { withdrawStart } from "../record/read-state.ts";
import { inTaskFolders, type TaskFiles } from "../record/task-files.ts";
import { turnName, waitingDirOf, wakeAfterEnd } from "../record/waiting-tasks.ts";
import { supervisorMarker, taskMarker } from "./task-processes.ts";
import type { TaskRecord } from "../record/task-record.ts";

export interface LaunchContext {
  home: string;
  /** What commands see of the world; the door passes its own environment. */
  env: Record<string, string | undefined>;
  clock: Clock;
  start: TaskStarter;
}

/** A task of any kind, ready to be started. */
export interface Launch {
  record: TaskRecord;
  files: TaskFiles;
  /** What the supervisor runs. */
  supervised: { shell: string; command: string };
  /** How its environment differs from the runtime's; asked for when the folders of the home are there. */
  env: () => EnvChanges;
  streams: TaskStreams;
  /** Makes what else it needs on the disk, when the folders are there. */
  prepare?: () => void;
  places?: StartRequest["places"];
}

/**
 * Starts a task under a supervisor of its own. When this returns, the record is on the disk and the supervisor runs: the
 * task goes on whatever becomes of this process. When it throws, nothing runs and nothing is left.
 */
export async function launchTask(context: LaunchContext, launch: Launch): Promise<void> {
  try {
    await inTaskFolders(launch.files, async () => {
      launch.prepare?.();
      if (launch.record.shell.waitsFor) ensurePrivateDir(waitingDirOf(launch.files));
      await context.start(startRequest(context, launch));
    });
  } catch (cause) {
    await withdraw(context, launch, cause);
  }
}

/** Starts a supervisor for a task that has its record, and that nobody supervises. When this throws, it has none. */
export async function superviseTask(context: LaunchContext, launch: Launch): Promise<void> {
  await context.start({ ...startRequest(context, launch), isRecorded: true });
}

function startRequest({ env: runtimeEnv }: LaunchContext, launch: Launch): StartRequest {
  const { record, files, streams } = launch;
  return {
    script: supervisorText({
      keepTail: record.shell.keepTail ? wayToKeepTail() : undefined,
      waitsForOthers: record.shell.waitsFor !== undefined,
    }),
    args: supervisorArgs(launch),
    cwd: record.cwd,
    runtimeEnv,
    env: commandEnv(launch, runtimeEnv),
    supervisorEnv: supervisorEnv(runtimeEnv, record.id),
    files,
    record: recordLine(record),
    streams,
    places: launch.places,
  };
}

// Returns if the task runs after all: whoever was to start it may have done so and died before it could say so.
async function withdraw(context: LaunchContext, launch: Launch, cause: unknown): Promise<void> {
  const { record, files } = launch;
  if (codeOf(cause) === "task_limit") {
    removeAll(files);
    throw cause;
  }
  if (!withdrawStart(files) && (await holdsOrStops(context, launch))) return;
  removeAll(files);
  throw codeOf(cause) === "launch_failed" ? cause : launchFailed(context, record, cause);
}

export function recordLine(record: TaskRecord): string {
  return `${JSON.stringify(record)}\n`;
}

// What runs is acknowledged if its record is on the disk; else it must not run.
async function holdsOrStops({ clock }: LaunchContext, { record, files }: Launch): Promise<boolean> {
  try {
    await syncFileAndFolder(files.record);
    return true;
  } catch {
    const { stopTask } = await import("./stop-task.ts");
    await stopTask(
      { record, files, state: { status: "running" }, outputFile: files.output },
      { by: "its launch, which failed", clock },
    );
    return false;
  }
}

const LISTED_CHARACTERS = 80;

/** The first line of a text, as far as a list shows it. */
export function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0]!;
  return line.length <= LISTED_CHARACTERS ? line : Array.from(line).slice(0, LISTED_CHARACTERS).join("");
}

function supervisorArgs({ record, files, supervised: { shell, command } }: Launch): string[] {
  const { timeoutMs, outputBytesMax, keepTail, niceness, waitsFor } = record.shell;
  return [
    record.id,
    files.base,
    shell,
    command,
    timeoutMs === undefined ? "" : String(timeoutMs / 1000),
    String(outputBytesMax),
    keepTail ? wayToKeepTail() : "",
    String(stopGraceMs / 100),
    waitsFor ? String(waitsFor.slots) : "",
    waitsFor ? turnName(record, waitsFor) : "",
    niceness === undefined ? "" : String(niceness),
    files.endingDraft,
    process.umask().toString(8),
    ...(waitsFor?.bases ?? []),
  ];
}

// A task started inside another one, or by a command of an agent, is no part of it.
function commandEnv({ env, record }: Launch, runtimeEnv: EnvChanges): EnvChanges {
  return {
    ...env(),
    ...(runtimeEnv["PWD"] !== undefined && { PWD: record.cwd }),
    [taskMarker]: record.id,
    [commandMarker]: undefined,
    [supervisorMarker]: undefined,
  };
}

// Nothing of the caller's but where tools are, and how characters are written: some shells read no others. The system's own
// folders come first, so that a tool that lies in a project is not run in its place; macOS has lsof and sysctl in /usr/sbin.
function supervisorEnv(runtimeEnv: EnvChanges, id: string): Record<string, string> {
  const env: Record<string, string> = {
    PATH: ["/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin", runtimeEnv["PATH"]].filter(Boolean).join(":"),
    // With what no other user can know, so that a supervisor recognises its own tools.
    [supervisorMarker]: `${id}.${randomUUID()}`,
  };
  for (const name of ["LANG", "LC_ALL", "LC_CTYPE"]) {
    const value = runtimeEnv[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

// The run file last: without it and without a record, a supervisor that begins late ends at once.
function removeAll(files: TaskFiles): void {
  const { record, output, stderr, endingDraft, ended, stdin, inbox, allowed, ending, stop, beat, run } =
    files;
  for (const file of [
    record,
    output,
    stderr,
    endingDraft,
    ended,
    stdin,
    inbox,
    allowed,
    ending,
    stop,
    beat,
    run,
  ])
    fs.rmSync(file, { recursive: true, force: true });
  // While it was in running/, one that waits may have taken it for one that runs.
  wakeAfterEnd(files);
}

function launchFailed({ home }: LaunchContext, { command }: TaskRecord, cause: unknown): Error {
  const isFull = codeOf(cause) === "ENOSPC" || codeOf(cause) === "EDQUOT";
  const isReadOnly = codeOf(cause) === "EROFS" || codeOf(cause) === "EACCES" || !isWritable(home);
  const why = isFull
    ? "the disk is full"
    : isReadOnly
      ? "the Holdfast home is not writable; set HOLDFAST_HOME"
      : (cause as Error).message;
  return taskError("launch_failed", `Cannot start "${firstLine(command)}": ${why}`, {
    cause,
    retryable: isFull,
    fields: isFull ? { errno: "ENOSPC" } : isReadOnly ? { errno: "EROFS" } : {},
  });
}

// Node says of a folder that it could not make on a read-only disk that it is not there.
function isWritable(dir: string): boolean {
  try {
    fs.accessSync(dir, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
