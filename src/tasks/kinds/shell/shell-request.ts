import fs from "node:fs";
import { concurrentTasksMax, taskCommandBytesMax, taskNameLengthMax } from "./limits.ts";
import { taskDescriptionLengthMax } from "../../../format/limits.ts";
import { taskOutputBytesMax } from "../../limits.ts";
import { shellLine } from "../../../lib/shell-quote.ts";
import { taskError } from "../../errors.ts";
import type { Places } from "../../record/running-tasks.ts";
import type { ShellSettings } from "../../record/task-record.ts";
import { whyNoTerminal } from "./pty-command.ts";

/** A command to run in the background: a line for the shell, or a program and its arguments. */
export type ShellRequest = ShellOptions &
  (
    | { command: string; argv?: undefined }
    /** Not interpreted by the shell: each is one word, whatever it holds. */
    | { argv: readonly string[]; command?: undefined }
  );

/** A request as it is carried out: the shell reads one line. */
export interface CommandRequest extends ShellOptions {
  command: string;
}

export interface ShellOptions {
  cwd: string;
  name?: string | undefined;
  description?: string | undefined;
  sessionId?: string | undefined;
  toolUseId?: string | undefined;
  /** Added to the runtime's environment. Never recorded. */
  env?: Record<string, string> | undefined;
  merged?: boolean | undefined;
  tty?: boolean | undefined;
  /** A private TMPDIR for the command. */
  sandbox?: boolean | undefined;
  /** Open a way to send it input. */
  stdin?: boolean | undefined;
  timeoutMs?: number | undefined;
  outputBytesMax?: number | undefined;
  keepTail?: boolean | undefined;
  niceness?: number | undefined;
  muted?: boolean | undefined;
  /** The id of the task whose command is started once more. */
  restarts?: string | undefined;
  /** Ids that must have ended before it starts. */
  after?: string[] | undefined;
  /** Wait for a free place instead of being refused when too many tasks run. */
  queue?: boolean | undefined;
}

/** The request with its program and arguments as a line. Throws `task_refused` unless it has exactly one of the two. */
export function withCommand({ command, argv, ...options }: ShellRequest): CommandRequest {
  if (command !== undefined && argv === undefined) return { ...options, command };
  if (command === undefined && argv !== undefined)
    return { ...options, command: argv[0] === "" ? "" : shellLine(argv) };
  const why = command === undefined ? "it has neither command nor argv" : "it has both command and argv";
  throw taskError("task_refused", `Cannot run task: ${why}`);
}

/** Refuses what could only fail later, in words that say what to change; all but the folder, which is on the disk. */
export function checkRequest(request: CommandRequest): void {
  const why =
    whatIsWrong(request) ?? whatIsWrongWithNumbers(request) ?? (request.tty ? whyNoTerminal() : undefined);
  if (why !== undefined) throw taskError("task_refused", `Cannot run task: ${why}`);
}

function whatIsWrong({ command, cwd, name, description = "", env = {} }: CommandRequest): string | undefined {
  if (command.trim() === "") return "the command is empty";
  const bytes = Buffer.byteLength(command);
  if (bytes > taskCommandBytesMax)
    return `the command has ${bytes} bytes, more than ${taskCommandBytesMax}; put it into a script`;
  if (command.includes("\0")) return "the command holds a NUL character";
  if (cwd === "") return "no folder is named";
  if (cwd.includes("\0")) return "the folder's name holds a NUL character";
  if (description.length > taskDescriptionLengthMax)
    return `the description has ${description.length} characters, more than ${taskDescriptionLengthMax}`;
  const wrongName = name === undefined ? undefined : whatIsWrongWithName(name);
  if (wrongName !== undefined) return wrongName;
  for (const [variable, value] of Object.entries(env)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) return `"${variable}" is no variable name`;
    if (value.includes("\0")) return `variable "${variable}" holds a NUL character`;
  }
  return undefined;
}

// It is there to find the task by.
function whatIsWrongWithName(name: string): string | undefined {
  if (name.trim() === "") return "the name is empty";
  if (name.startsWith("@")) return `"${name}" is no name: @last and its like mean something else`;
  if (name.length > taskNameLengthMax)
    return `the name has ${name.length} characters, more than ${taskNameLengthMax}`;
  return undefined;
}

// The supervisor's arithmetic would take what is none of these for no limit at all.
function whatIsWrongWithNumbers(request: CommandRequest): string | undefined {
  const { timeoutMs = 1, outputBytesMax = 1, niceness = 0 } = request;
  if (!(timeoutMs > 0 && Number.isFinite(timeoutMs))) return `${timeoutMs} ms is no timeout`;
  if (!(outputBytesMax > 0 && Number.isSafeInteger(outputBytesMax)))
    return `${outputBytesMax} bytes is no output limit`;
  if (!(niceness >= -20 && niceness <= 19 && Number.isInteger(niceness)))
    return `${niceness} is no niceness; they go from -20 to 19`;
  return undefined;
}

/** Throws `task_refused` when no command can be started there. */
export function checkFolder(cwd: string): void {
  if (canEnter(cwd)) return;
  const stat = fs.statSync(cwd, { throwIfNoEntry: false });
  if (!stat?.isDirectory())
    throw taskError(
      "task_refused",
      `Cannot run task in "${cwd}": ${stat ? "not a folder" : "no such folder"}`,
    );
  throw taskError("task_refused", `Cannot run task in "${cwd}": no permission to enter it`);
}

// Only a folder has a "." in it.
function canEnter(cwd: string): boolean {
  try {
    fs.accessSync(`${cwd}/.`, fs.constants.X_OK);
    return cwd !== "";
  } catch {
    return false;
  }
}

/** The settings that go into the record. */
export function shellSettings(
  request: CommandRequest,
  { shell, running, after }: { shell: string; running: number; after: string[] },
): ShellSettings {
  const waitsFor = waitsForOf(request, { running, after });
  return {
    shell,
    merged: request.merged ?? request.tty ?? false,
    tty: request.tty ?? false,
    sandbox: request.sandbox ?? false,
    stdin: request.stdin ?? false,
    ...(request.timeoutMs !== undefined && { timeoutMs: request.timeoutMs }),
    outputBytesMax: request.outputBytesMax ?? taskOutputBytesMax,
    keepTail: request.keepTail ?? false,
    ...(request.niceness !== undefined && { niceness: request.niceness }),
    ...(waitsFor && { waitsFor }),
  };
}

function waitsForOf(
  request: CommandRequest,
  { running, after }: { running: number; after: string[] },
): ShellSettings["waitsFor"] {
  if (after.length > 0) return { bases: after, slots: 1 };
  if (running < concurrentTasksMax) return undefined;
  if (request.queue) return { bases: [], slots: concurrentTasksMax };
  throw limitReached(running);
}

/** All tasks share these. */
export const taskPlaces: Places = { max: concurrentTasksMax, isCounted: () => true };

/** Why a command is not started when so many tasks run. */
export function limitReached(running: number): Error {
  return taskError(
    "task_limit",
    `Cannot run task: ${running} tasks run already, the limit is ${concurrentTasksMax}; stop some or queue it`,
    { retryable: true, fields: { running, limit: concurrentTasksMax } },
  );
}
