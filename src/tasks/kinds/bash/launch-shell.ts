import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { endingBytesReserved, stopGraceMs } from "../../../format/limits.ts";
import { holdfastPaths, projectKey as projectKeyOf } from "../../../format/paths.ts";
import { newTaskId } from "../../../format/ids.ts";
import { createFileAtomicAsync } from "../../../lib/atomic-write-async.ts";
import type { Clock } from "../../../lib/clock.ts";
import { codeOf } from "../../../lib/errors.ts";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import { currentProcess } from "../../../lib/process-identity.ts";
import { taskError } from "../../errors.ts";
import { withdrawStart } from "../../read-state.ts";
import { taskFiles, type TaskFiles } from "../../task-files.ts";
import { supervisorMarker, taskMarker } from "../../task-processes.ts";
import type { TaskRecord } from "../../task-record.ts";
import { ptyCommand } from "./pty-command.ts";
import { checkRequest, shellSettings, type ShellRequest } from "./shell-request.ts";
import type { ProcessStarter } from "./start-process.ts";
import { supervisorText } from "./supervisor-text.ts";

export interface LaunchContext {
  home: string;
  /** What commands see of the world; the door passes its own environment. */
  env: Record<string, string | undefined>;
  clock: Clock;
  start: ProcessStarter;
}

export interface LaunchState {
  /** Base paths of tasks that have not ended. */
  running: string[];
  /** Base paths of the tasks that it must wait for. */
  after: string[];
}

export interface LaunchedTask {
  record: TaskRecord;
  files: TaskFiles;
}

/**
 * Starts a command under a supervisor of its own. When this returns, the record is on the disk and the supervisor
 * runs: the task goes on whatever becomes of this process. When it throws, nothing runs and nothing is left.
 */
export async function launchShell(
  context: LaunchContext,
  request: ShellRequest,
  state: LaunchState,
): Promise<LaunchedTask> {
  checkRequest(request);
  const projectKey = projectKeyOf(request.cwd);
  const dir = holdfastPaths(context.home).tasksDir(projectKey);
  const id = newTaskId("bash", randomBytes, (candidate) =>
    fs.existsSync(path.join(dir, `${candidate}.json`)),
  );
  const files = taskFiles(context.home, { projectKey, id });
  const record = recordOf(context, request, { id, state });
  const descriptors: number[] = [];
  try {
    ensurePrivateDir(dir);
    ensurePrivateDir(path.dirname(files.endingDraft));
    for (const descriptor of openDescriptors(files, record)) descriptors.push(descriptor);
    await createFileAtomicAsync(files.record, `${JSON.stringify(record)}\n`);
    // After the record: what is among the running tasks and has no record was removed.
    fs.writeFileSync(files.endingDraft, " ".repeat(endingBytesReserved), { flag: "wx", mode: 0o600 });
    await context.start({
      script: supervisorText(),
      args: supervisorArgs(files, record),
      cwd: request.cwd,
      env: commandEnv(context, request, record),
      stdio: descriptors as [number, number, number],
      paths: {
        stdin: record.shell.stdin ? files.stdin : "/dev/null",
        stdout: files.output,
        stderr: record.shell.merged ? files.output : files.stderr,
      },
    });
  } catch (cause) {
    // Whoever was to start it may have done so and died before it could say so.
    if (!withdrawStart(files)) return { record, files };
    removeAll(files);
    throw codeOf(cause) === "launch_failed" ? cause : launchFailed(context, request, cause);
  } finally {
    for (const descriptor of descriptors) fs.closeSync(descriptor);
  }
  return { record, files };
}

function recordOf(
  context: LaunchContext,
  request: ShellRequest,
  { id, state }: { id: string; state: LaunchState },
): TaskRecord {
  const shell = request.env?.["SHELL"] ?? context.env["SHELL"] ?? "/bin/sh";
  return {
    schemaVersion: 1,
    id,
    kind: "local_bash",
    ...(request.name !== undefined && { name: request.name }),
    description: request.description ?? firstLine(request.command),
    command: request.command,
    cwd: request.cwd,
    ...(request.sessionId !== undefined && { sessionId: request.sessionId }),
    ...(request.toolUseId !== undefined && { toolUseId: request.toolUseId }),
    startedAt: context.clock.now().toISOString(),
    launcher: currentProcess(),
    ...(request.muted && { muted: true }),
    shell: shellSettings(request, { shell, ...state }),
  };
}

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = fs.constants;

// stdin, stdout, stderr of the command. New names only, never through a link.
function* openDescriptors(files: TaskFiles, { shell: { merged, stdin } }: TaskRecord): Generator<number> {
  const create = (file: string): number =>
    fs.openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  if (stdin) execFileSync("mkfifo", ["-m", "600", files.stdin]);
  // A pipe is opened for both ways, so that it neither waits for a sender nor ends when one leaves.
  yield stdin ? fs.openSync(files.stdin, O_RDWR) : fs.openSync("/dev/null", O_RDONLY);
  yield create(files.output);
  yield merged ? fs.openSync(files.output, O_WRONLY | O_APPEND | O_NOFOLLOW) : create(files.stderr);
}

function supervisorArgs(files: TaskFiles, record: TaskRecord): string[] {
  // Of a command that begins with a sign, a shell would take the first word for its own option.
  const text = /^[-+]/.test(record.command) ? ` ${record.command}` : record.command;
  const { shell, command } = record.shell.tty
    ? ptyCommand(files, { shell: record.shell.shell, command: text })
    : { shell: record.shell.shell, command: text };
  const { timeoutMs, outputBytesMax, keepTail, niceness, waitsFor } = record.shell;
  return [
    record.id,
    files.base,
    shell,
    command,
    timeoutMs === undefined ? "" : String(timeoutMs / 1000),
    String(outputBytesMax),
    keepTail ? "1" : "",
    String(stopGraceMs / 100),
    waitsFor ? String(waitsFor.slots) : "",
    waitsFor ? waitsFor.bases.join("\n") : "",
    niceness === undefined ? "" : String(niceness),
    files.endingDraft,
  ];
}

function commandEnv(
  context: LaunchContext,
  request: ShellRequest,
  record: TaskRecord,
): Record<string, string> {
  const env: Record<string, string | undefined> = {
    ...context.env,
    SHELL: record.shell.shell,
    GIT_EDITOR: "true",
    ...request.env,
  };
  if (request.sandbox) env["TMPDIR"] = ensurePrivateDir(path.join(context.home, "sandbox-tmp"));
  // A task started inside another one is no part of it.
  delete env[taskMarker];
  env[supervisorMarker] = record.id;
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function firstLine(command: string): string {
  return Array.from(command.trim().split("\n")[0]!).slice(0, 80).join("");
}

// The run file last: without it and without a record, a supervisor that begins late ends at once.
function removeAll(files: TaskFiles): void {
  const { record, output, stderr, endingDraft, stdin, run } = files;
  for (const file of [record, output, stderr, endingDraft, stdin, run]) fs.rmSync(file, { force: true });
}

function launchFailed({ home }: LaunchContext, request: ShellRequest, cause: unknown): Error {
  const isFull = codeOf(cause) === "ENOSPC" || codeOf(cause) === "EDQUOT";
  const isReadOnly = codeOf(cause) === "EROFS" || codeOf(cause) === "EACCES" || !isWritable(home);
  const why = isFull
    ? "the disk is full"
    : isReadOnly
      ? "the Holdfast home is not writable; set HOLDFAST_HOME"
      : (cause as Error).message;
  return taskError("launch_failed", `Cannot start "${firstLine(request.command)}": ${why}`, {
    cause,
    retryable: isFull,
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
