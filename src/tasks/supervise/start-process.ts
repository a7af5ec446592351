import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { endingBytesReserved } from "../kinds/shell/limits.ts";
import { createFileAtomicAsync } from "../../lib/atomic-write-async.ts";
import { taskError } from "../errors.ts";
import { withdrawStart } from "../record/read-state.ts";
import type { Places } from "../record/running-tasks.ts";
import { takePlace } from "../record/take-place.ts";
import type { TaskFiles } from "../record/task-files.ts";
import {
  changesText,
  environmentText,
  environmentVariables,
  type EnvChanges,
} from "./command-environment.ts";
import { supervisorName } from "./task-processes.ts";

/** A supervisor to be started, with the files that must be there before. */
export interface StartRequest {
  script: string;
  args: string[];
  cwd: string;
  /** The environment that all tasks of the runtime get; the same object in every request. */
  runtimeEnv: EnvChanges;
  env: EnvChanges;
  /** What the supervisor itself and its tools have in their environment. */
  supervisorEnv: Record<string, string>;
  files: TaskFiles;
  /** The launch record, a line of JSON. */
  record: string;
  /** It is on the disk already, with room for the ending. */
  isRecorded?: boolean | undefined;
  streams: TaskStreams;
  /** It starts only if it gets one of these. */
  places?: LimitedPlaces | undefined;
}

export interface LimitedPlaces extends Places {
  /** What is thrown when none is free. */
  refusal: () => Error;
}

/** The files that are stdin, stdout and stderr of what is supervised. */
export interface TaskStreams {
  /** A named pipe to be made; without it there is no input. */
  stdin?: string;
  stdout: string;
  /** May be the same as `stdout`. */
  stderr: string;
}

/**
 * Makes a task's files, all new and private, puts its record on the disk, and starts its supervisor: a detached `sh` in a
 * session of its own. Resolves once the record is synced and the supervisor runs.
 */
export type TaskStarter = (request: StartRequest) => Promise<void>;

/** Starts the supervisor of a task whose files are there and, in this process, open. */
export type SupervisorSpawner = (request: StartRequest, stdio: number[]) => Promise<void>;

/** Starts it from this process: simple, but starting a process blocks the event loop in proportion to its memory. */
export const startHere: TaskStarter = (request) => startTask(request, spawnSupervisor);

/** No file is made while the event loop waits: making one can take as long as the disk needs to sync what others wrote. */
export async function startTask(request: StartRequest, spawner: SupervisorSpawner): Promise<void> {
  const opened: FileHandle[] = [];
  try {
    for await (const handle of createStreams(request.streams)) opened.push(handle);
    if (!request.isRecorded) await writeRecord(request.files, request.record, request.places);
    const stdio = opened.map(({ fd }) => fd);
    await spawner(request, stdio);
  } finally {
    await Promise.all(opened.map((handle) => handle.close()));
  }
}

/** Puts the record on the disk, then sets space for the ending aside: what runs and has no record was removed. */
export async function writeRecord(files: TaskFiles, text: string, places?: LimitedPlaces): Promise<void> {
  await createFileAtomicAsync(files.record, text);
  if (places && !(await takePlace(files, places))) throw places.refusal();
  const flag = places ? "r+" : "wx";
  await fs.promises.writeFile(files.endingDraft, " ".repeat(endingBytesReserved), { flag, mode: 0o600 });
}

const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
const run = promisify(execFile);

async function* createStreams({ stdin, stdout, stderr }: TaskStreams): AsyncGenerator<FileHandle> {
  // By its umask: where there is no /proc, GNU's own -m fails.
  if (stdin !== undefined) await run("/bin/sh", ["-c", 'umask 177 && exec mkfifo "$1"', "sh", stdin]);
  // A pipe is opened for both ways, so that it neither waits for a sender nor ends when one leaves.
  yield fs.promises.open(stdin ?? "/dev/null", stdin === undefined ? O_RDONLY : O_RDWR);
  // Never one that is there, never through a link.
  const create = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_EXCL;
  yield fs.promises.open(stdout, create, 0o600);
  yield stderr === stdout
    ? fs.promises.open(stderr, O_WRONLY | O_APPEND | O_NOFOLLOW)
    : fs.promises.open(stderr, create, 0o600);
}

/** What the supervisor has in its environment. The command's is a text in there, which only the command's process reads. */
export function supervisorVariables({
  runtimeEnv,
  env,
  supervisorEnv,
}: StartRequest): Record<string, string> {
  return { ...environmentVariables(environmentText({ ...runtimeEnv, ...env })), ...supervisorEnv };
}

/** The same for a process that has the text of the runtime's environment already: only what differs, if that can be said. */
export function supervisorChanges({ env, supervisorEnv }: StartRequest): Record<string, string> | undefined {
  const changes = changesText(env);
  return changes === undefined ? undefined : { HOLDFAST_CHANGES: changes, ...supervisorEnv };
}

/** Resolves when it runs. Should it die before it has taken charge of the task, the task never starts, and counts as lost. */
export const spawnSupervisor: SupervisorSpawner = (request, stdio) =>
  new Promise((resolve, reject) => {
    const { script, args, cwd, files } = request;
    const child = spawn("/bin/sh", ["-c", script, supervisorName, ...args], {
      cwd,
      env: supervisorVariables(request),
      stdio,
      detached: true,
    });
    child.once("error", (cause) =>
      reject(taskError("launch_failed", `Cannot start supervisor: ${cause.message}`, { cause })),
    );
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
    child.once("exit", () => giveUpUnsupervised(files));
  });

/** Whether nobody has taken charge of a task. Only for who knows that nobody is about to: half a name is removed. */
export function isUnsupervised(files: StartRequest["files"]): boolean {
  if (fs.existsSync(files.ending) || !fs.existsSync(files.record)) return false;
  const size = fs.statSync(files.run, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) fs.rmSync(files.run, { force: true });
  return size === 0;
}

// While this process lives everybody would take the task for one that is about to begin.
function giveUpUnsupervised(files: StartRequest["files"]): void {
  try {
    if (isUnsupervised(files)) withdrawStart(files);
  } catch {
    /* Whoever looks when this process has gone says the same. */
  }
}
