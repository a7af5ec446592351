import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { endingBytesReserved } from "../kinds/shell/limits.ts";
import { createFileAtomicAsync, syncFileAndFolder } from "../../lib/atomic-write-async.ts";
import { readJson } from "../../lib/read-json.ts";
import { taskError } from "../errors.ts";
import { prepareFolders, type TaskFiles } from "../record/task-files.ts";

/** A supervisor to be started, with the files that must be there before. */
export interface StartRequest {
  script: string;
  args: string[];
  cwd: string;
  /** The environment that all tasks of the runtime get; the same object in every request. */
  runtimeEnv: Record<string, string | undefined>;
  env: EnvChanges;
  files: Pick<TaskFiles, "base" | "record" | "run" | "ending" | "endingDraft" | "ended">;
  /** The launch record, a line of JSON. */
  record: string;
  streams: TaskStreams;
}

/** How an environment differs from the runtime's: what is undefined is not in it. */
export type EnvChanges = Record<string, string | undefined>;

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

/** A starter that has also to see to folders, id and limits. False when one of them is against it: nothing was made. */
export type UncheckedStarter = (request: StartRequest) => Promise<boolean>;

/**
 * Starts it from this process: simple, but starting a process blocks the event loop in proportion to its memory. No file
 * is made while the event loop waits: making one can take as long as the disk needs to sync what others wrote.
 */
export const startHere: TaskStarter = (request) => startWith(request, { isTakenOver: false });

/** The same for a start that another process may have begun: what it made is used, and a second supervisor ends at once. */
export const takeOverStart: TaskStarter = (request) => startWith(request, { isTakenOver: true });

async function startWith(request: StartRequest, how: { isTakenOver: boolean }): Promise<void> {
  const opened: FileHandle[] = [];
  try {
    if (how.isTakenOver) prepareFolders(request.files);
    for await (const handle of openStreams(request.streams, how)) opened.push(handle);
    if (how.isTakenOver) await completeRecord(request);
    else await writeRecord(request.files, request.record);
    await spawnSupervisor(
      request,
      opened.map(({ fd }) => fd),
    );
  } finally {
    await Promise.all(opened.map((handle) => handle.close()));
  }
}

/** Puts the record on the disk, then sets space for the ending aside: what runs and has no record was removed. */
export async function writeRecord(
  { record, endingDraft }: Pick<TaskFiles, "record" | "endingDraft">,
  text: string,
): Promise<void> {
  await createFileAtomicAsync(record, text);
  await reserveEnding(endingDraft);
}

// A record that is not whole is one that was never acknowledged: readers take it for none.
async function completeRecord({ files: { record, endingDraft }, record: text }: StartRequest): Promise<void> {
  if (readJson(record) === undefined) {
    fs.rmSync(record, { force: true });
    await createFileAtomicAsync(record, text);
  } else {
    await syncFileAndFolder(record);
  }
  // Nothing was started before this was whole.
  const size = fs.statSync(endingDraft, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= endingBytesReserved) return;
  fs.rmSync(endingDraft, { force: true });
  await reserveEnding(endingDraft);
}

async function reserveEnding(endingDraft: string): Promise<void> {
  await fs.promises.writeFile(endingDraft, " ".repeat(endingBytesReserved), { flag: "wx", mode: 0o600 });
}

const { O_RDONLY, O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
const run = promisify(execFile);

async function* openStreams(
  { stdin, stdout, stderr }: TaskStreams,
  { isTakenOver }: { isTakenOver: boolean },
): AsyncGenerator<FileHandle> {
  if (stdin !== undefined && !(isTakenOver && fs.existsSync(stdin)))
    await run("mkfifo", ["-m", "600", stdin]);
  // A pipe is opened for both ways, so that it neither waits for a sender nor ends when one leaves.
  yield fs.promises.open(stdin ?? "/dev/null", stdin === undefined ? O_RDONLY : O_RDWR);
  // Never one that is there, never through a link.
  const create = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | (isTakenOver ? 0 : O_EXCL);
  yield fs.promises.open(stdout, create, 0o600);
  yield stderr === stdout
    ? fs.promises.open(stderr, O_WRONLY | O_APPEND | O_NOFOLLOW)
    : fs.promises.open(stderr, create, 0o600);
}

/**
 * For who knows that the shell which was to take charge of a task is gone: whether it had not done so. Of a name that it
 * had begun to write nothing is left then.
 */
export function isUnsupervised(files: StartRequest["files"]): boolean {
  if (fs.existsSync(files.ending) || !fs.existsSync(files.record)) return false;
  const size = fs.statSync(files.run, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) fs.rmSync(files.run, { force: true });
  return size === 0;
}

// While this process lives everybody would take the task for one that is about to begin.
async function giveUpUnsupervised(files: StartRequest["files"]): Promise<void> {
  if (isUnsupervised(files)) (await import("../record/read-state.ts")).withdrawStart(files);
}

function spawnSupervisor(
  { script, args, cwd, runtimeEnv, env, files }: StartRequest,
  stdio: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", script, "holdfast-supervisor", ...args], {
      cwd,
      env: { ...runtimeEnv, ...env },
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
    child.once("exit", () => void giveUpUnsupervised(files).catch(() => {}));
  });
}
