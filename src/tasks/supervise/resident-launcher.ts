import { spawn } from "node:child_process";
import fs from "node:fs";
import type { Socket } from "node:net";
import path from "node:path";
import { concurrentTasksMax, endingBytesReserved } from "../kinds/shell/limits.ts";
import { currentProcess } from "../../lib/process-identity.ts";
import { syncFileAndFolder } from "../../lib/atomic-write-async.ts";
import { shellQuote } from "../../lib/shell-quote.ts";
import { supervisorMarker } from "./task-processes.ts";
import {
  isUnsupervised,
  startHere,
  takeOverStart,
  type EnvChanges,
  type StartRequest,
  type TaskStarter,
  type UncheckedStarter,
} from "./start-process.ts";
import { launcherText } from "./supervisor-text.ts";

interface Asked {
  request: StartRequest;
  isUnchecked: boolean;
  line: string;
  resolve: (isStarted: boolean) => void;
  reject: (error: Error) => void;
  /** Leads to who was asked. */
  socket?: Socket;
  /** Once the record is there. */
  synced?: Promise<void>;
}

/**
 * Starts tasks from a small process of its own, an `sh` (launcher.sh) that makes the files and then supervises the task,
 * leaving its place to another one. Starting a process blocks the event loop in proportion to this process's memory,
 * making files as long as the disk needs; telling another one to do it does neither. The one that waits ends with us, a
 * task does not; what could not be done, or was not answered when none was left, is done from here, and the next launch
 * starts a new one.
 */
export class ResidentLauncher {
  /** Leads to the one that waits, whichever that is by now. */
  #socket: Socket | undefined;
  /** Whom it works for. */
  #asked: Asked | undefined;
  /** Whose task it is about to supervise. */
  #started: Asked | undefined;
  readonly #waiting: Asked[] = [];
  readonly #env: Record<string, string>;
  readonly #text = launcherText();
  readonly #shell: string;

  /** `env` is the runtime's, which a request only changes. */
  constructor(env: Record<string, string>, shell = "/bin/sh") {
    this.#env = env;
    this.#shell = shell;
  }

  readonly start: TaskStarter = async (request) => {
    const line = requestLine(request, { isUnchecked: false });
    if (this.#isTooLong(line)) await startHere(request);
    else await this.#ask({ request, line, isUnchecked: false });
  };

  readonly startUnchecked: UncheckedStarter = async (request) => {
    const line = requestLine(request, { isUnchecked: true });
    return !this.#isTooLong(line) && this.#ask({ request, line, isUnchecked: true });
  };

  close(): void {
    this.#socket?.end();
    this.#socket = undefined;
  }

  // Command and variables may be more than a program can be given. Then a launcher, which needs none, would find out too
  // late; but what is shorter than its own text, with which it was started, can be given to any.
  #isTooLong(line: string): boolean {
    return line.length > this.#text.length;
  }

  #ask(question: Pick<Asked, "request" | "line" | "isUnchecked">): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...question, resolve, reject });
      if (!this.#asked) this.#askNext();
    });
  }

  #askNext(): void {
    this.#asked = this.#waiting.shift();
    // Only an unanswered request keeps this process alive.
    if (!this.#asked) return void this.#socket?.unref();
    const socket = (this.#socket ??= this.#open());
    if (!socket) {
      startFromHere(this.#asked);
      return this.#askNext();
    }
    this.#asked.socket = socket;
    socket.ref();
    socket.write(this.#asked.line);
  }

  #open(): Socket | undefined {
    const socket = this.#spawn();
    if (!socket) return undefined;
    // What went wrong is told by "close": nobody is left that waits, and all answers have come.
    socket.on("error", () => {});
    socket.on("close", () => this.#takeOver(socket));
    let rest = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      const answers = (rest + text).split("\n");
      rest = answers.pop() ?? "";
      for (const answer of answers) this.#hear(answer, socket);
    });
    socket.write(ASK_FOR_TEXT);
    return socket;
  }

  // Not by stdin, which is closed when the first of them ends, and that is a task's supervisor by then. Undefined when it
  // cannot be started, or the system's sh is none that we know.
  #spawn(): Socket | undefined {
    try {
      const begin = BEGINNINGS.get(path.basename(fs.realpathSync(this.#shell)));
      if (begin === undefined) return undefined;
      const child = spawn(this.#shell, ["-c", BEGIN_THERE, this.#shell, ...this.#args(begin)], {
        cwd: "/",
        // A mark of its own: what supervises is told from what it supervises.
        env: { ...this.#env, [supervisorMarker]: "launcher" },
        stdio: ["ignore", "ignore", "ignore", "pipe"],
        detached: true,
      });
      child.unref();
      const socket = child.stdio?.[3] as Socket | undefined;
      child.on("error", () => socket?.destroy());
      return socket;
    } catch {
      // Who starts the task from here meets it again, and says so.
      return undefined;
    }
  }

  #args(begin: string): string[] {
    const { pid, startTime } = currentProcess();
    const limits = [endingBytesReserved, concurrentTasksMax].map(String);
    const how = begin === "" ? ["-s"] : ["-c", begin, this.#shell];
    return [...how, this.#text, begin, String(pid), startTime, this.#shell, "", ...limits];
  }

  #hear(answer: string, socket: Socket): void {
    if (answer === "supervised") this.#started = undefined;
    const asked = this.#asked;
    if (asked?.socket !== socket) return;
    if (answer === "recorded") {
      asked.synced = syncFileAndFolder(asked.request.files.record);
      // Whether it failed is asked when the task is started, if it is.
      asked.synced.catch(() => {});
    } else if (answer === "started") {
      this.#started = asked;
      asked.synced!.then(() => asked.resolve(true), asked.reject);
      if (this.#socket === socket) socket.write(ASK_FOR_TEXT);
      this.#askNext();
    } else if (answer === "unready") {
      asked.resolve(false);
      this.#askNext();
    } else if (answer === "failed") {
      // Here the error has a name.
      startFromHere(asked);
      this.#askNext();
    }
  }

  #takeOver(socket: Socket): void {
    if (this.#socket === socket) this.#socket = undefined;
    if (this.#started?.socket === socket) takeCharge(this.#started.request).catch(() => {});
    if (this.#asked?.socket !== socket) return;
    startFromHere(this.#asked);
    this.#askNext();
  }
}

// The record is what is made first. Without it nothing was made, and what nobody checked must be checked now; another one in
// its place is that of another task, whose files must not be touched.
function startFromHere({ request, isUnchecked, resolve, reject }: Asked): void {
  if (isUnchecked && !hasBegun(request)) resolve(false);
  else takeOverStart(request).then(() => resolve(true), reject);
}

// Whoever ended after the answer may not have been in charge yet.
async function takeCharge(request: StartRequest): Promise<void> {
  if (hasBegun(request) && isUnsupervised(request.files)) await takeOverStart(request);
}

function hasBegun({ files, record }: StartRequest): boolean {
  try {
    return fs.readFileSync(files.record, "utf8") === record;
  } catch {
    return false;
  }
}

const BEGIN_THERE = 'exec <&3; exec "$0" "$@"';

// What it begins with, by the names of the shells that are known to go through with it. As commands from stdin (nothing to
// begin with) dash reads many bytes at a time, but others keep stdin open for ever; by "read" all read one.
const BY_READ = 'while IFS= read -r _line; do eval "$_line"; done';
const BEGINNINGS = new Map([
  ["dash", ""],
  ["bash", BY_READ],
  ["busybox", BY_READ],
]);

const ASK_FOR_TEXT = 'eval "$1"\n';

// See launcher.sh.
function requestLine(request: StartRequest, { isUnchecked }: { isUnchecked: boolean }): string {
  const { args, cwd, env, files, record, streams } = request;
  const { stdin = "", stdout, stderr } = streams;
  const made = [files.endingDraft, stdin, stdout, stderr];
  const words = [isUnchecked ? "1" : "", ...made, cwd, record.trimEnd(), ...args];
  const set = `_set_variables() { ${variables(env)}}`;
  return `_base=${quoted(files.base)}; ${set}; _request ${words.map(quoted).join(" ")}\n`;
}

function quoted(text: string): string {
  return shellQuote(text).replaceAll("\n", `'"$_line_end"'`);
}

// One that no shell can name (a.b) would not pass the supervisor either.
function variables(env: EnvChanges): string {
  return Object.entries(env)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => (value === undefined ? `unset ${name}; ` : `export ${name}=${quoted(value)}; `))
    .join("");
}
