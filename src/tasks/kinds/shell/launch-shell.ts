import path from "node:path";
import { ensurePrivateDir } from "../../../lib/private-dir.ts";
import { currentProcess } from "../../../lib/process-identity.ts";
import { firstLine, launchTask, type Launch, type LaunchContext } from "../../supervise/launch-task.ts";
import { newTaskFiles } from "../../record/new-task-files.ts";
import { launchedWork } from "../../record/launched-work.ts";
import type { Task } from "../../record/task.ts";
import type { TaskFiles } from "../../record/task-files.ts";
import type { TaskRecord } from "../../record/task-record.ts";
import { ptyCommand } from "./pty-command.ts";
import {
  checkFolder,
  checkRequest,
  limitReached,
  shellSettings,
  taskPlaces,
  type CommandRequest,
} from "./shell-request.ts";
import type { EnvChanges } from "../../supervise/command-environment.ts";
import type { TaskStreams } from "../../supervise/start-process.ts";

export interface LaunchState {
  /** How many tasks have not ended that share the places of the new one, those that wait for a place among them. */
  running: number;
  /** Base paths of the tasks that it must wait for. */
  after: string[];
}

export type LaunchedTask = Pick<Task, "record" | "files">;

/** Starts a command under a supervisor of its own; see launchTask for what holds when it returns or throws. */
export async function launchShell(
  context: LaunchContext,
  request: CommandRequest,
  state: LaunchState,
): Promise<LaunchedTask> {
  checkRequest(request);
  checkFolder(request.cwd);
  const files = newTaskFiles(context.home, { cwd: request.cwd, kind: "bash" });
  const record = recordOf(context, request, { id: files.id, state });
  await launchTask(context, launchOf(context, request, { record, files }));
  return { record, files };
}

function launchOf({ home }: LaunchContext, request: CommandRequest, { record, files }: LaunchedTask): Launch {
  return {
    record,
    files,
    supervised: supervisedCommand(files, record),
    env: () => commandEnv(home, request, record),
    streams: streamsOf(files, record),
    places: record.shell.waitsFor
      ? undefined
      : { ...taskPlaces, refusal: () => limitReached(taskPlaces.max) },
  };
}

function recordOf(
  context: LaunchContext,
  request: CommandRequest,
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
    ...(request.restarts !== undefined && { restarts: request.restarts }),
    work: launchedWork({ kind: "local_bash", text: request.command, cwd: request.cwd }),
    shell: shellSettings(request, { shell, ...state }),
  };
}

function supervisedCommand(files: TaskFiles, record: TaskRecord): Launch["supervised"] {
  const { shell, tty } = record.shell;
  // Of a command that begins with a sign, a shell would take the first word for its own option.
  const command = /^[-+]/.test(record.command) ? ` ${record.command}` : record.command;
  return tty ? ptyCommand(files, { shell, command }) : { shell, command };
}

function streamsOf(files: TaskFiles, { shell: { merged, stdin } }: TaskRecord): TaskStreams {
  return {
    ...(stdin && { stdin: files.stdin }),
    stdout: files.output,
    stderr: merged ? files.output : files.stderr,
  };
}

function commandEnv(home: string, { env, sandbox }: CommandRequest, { shell }: TaskRecord): EnvChanges {
  return {
    SHELL: shell.shell,
    GIT_EDITOR: "true",
    ...env,
    ...(sandbox && { TMPDIR: ensurePrivateDir(path.join(home, "sandbox-tmp")) }),
  };
}
