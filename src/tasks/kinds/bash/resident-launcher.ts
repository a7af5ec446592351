import { spawn, type ChildProcessByStdio } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { concurrentTasksMax, endingBytesReserved } from "../../../format/limits.ts";
import { shellQuote } from "../../../lib/shell-quote.ts";
import {
  takeOverStart,
  type EnvChanges,
  type StartRequest,
  type TaskStarter,
  type UncheckedStarter,
} from "./start-process.ts";

type Child = ChildProcessByStdio<Writable, Readable, null>;

interface Handle {
  ref(): void;
  unref(): void;
}

interface Waiting {
  child: Child;
  request: StartRequest;
  isUnchecked: boolean;
  resolve: (isStarted: boolean) => void;
  reject: (error: Error) => void;
}

/**
 * Starts tasks from a small process of its own, an `sh` that makes the files and runs what it is told. Starting a process
 * blocks the event loop in proportion to this process's memory, making files as long as the disk needs; telling another
 * one to do it does neither. It ends with us, what it started does not; what it could not do, or had not answered when it
 * died, is done from here, and the next launch starts a new one.
 */
export class ResidentLauncher {
  #child: Child | undefined;
  readonly #waiting = new Map<string, Waiting>();
  #requests = 0;
  readonly #env: Record<string, string>;

  /** `env` is the runtime's, which a request only changes. */
  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  readonly start: TaskStarter = async (request) => void (await this.#ask(request, { isUnchecked: false }));

  readonly startUnchecked: UncheckedStarter = (request) => this.#ask(request, { isUnchecked: true });

  close(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  #ask(request: StartRequest, { isUnchecked }: { isUnchecked: boolean }): Promise<boolean> {
    const child = (this.#child ??= this.#open(request.script));
    const number = String(++this.#requests);
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { child, request, isUnchecked, resolve, reject });
      this.#holdOpen(child);
      child.stdin.write(commandLine(number, request, { isUnchecked }));
    });
  }

  #open(script: string): Child {
    const child = spawn("/bin/sh", ["-s"], {
      cwd: "/",
      env: this.#env,
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    child.stdin.on("error", () => this.#takeOver(child));
    child.on("error", () => this.#takeOver(child));
    // Its last answers come before this, not before "exit".
    child.on("close", () => this.#takeOver(child));
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#answer(line);
      this.#holdOpen(child);
    });
    child.stdin.write(preamble(script));
    (child.stdin as unknown as Handle).unref();
    return child;
  }

  #answer(line: string): void {
    const [number = "", verdict] = line.split(" ");
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (!waiting) return;
    if (verdict === "started") waiting.resolve(true);
    else if (verdict === "unready") waiting.resolve(false);
    // Here the error has a name.
    else startFromHere(waiting);
  }

  // Only an unanswered request keeps this process alive, and of a child that was replaced none is.
  #holdOpen(child: Child): void {
    const hold = this.#waiting.size > 0 ? "ref" : "unref";
    child[hold]();
    (child.stdout as unknown as Handle)[hold]();
  }

  #takeOver(child: Child): void {
    if (this.#child === child) this.#child = undefined;
    for (const [number, waiting] of this.#waiting) {
      if (waiting.child !== child) continue;
      this.#waiting.delete(number);
      startFromHere(waiting);
    }
  }
}

// The record is what is made first. Without it nothing was made, and what nobody checked must be checked now; another one in
// its place is that of another task, whose files must not be touched.
function startFromHere({ request, isUnchecked, resolve, reject }: Waiting): void {
  if (isUnchecked && !hasBegun(request)) resolve(false);
  else takeOverStart(request).then(() => resolve(true), reject);
}

function hasBegun({ files, record }: StartRequest): boolean {
  try {
    return fs.readFileSync(files.record, "utf8") === record;
  } catch {
    return false;
  }
}

// Our own tools are found whatever PATH the commands are given. The names begin with an underscore, because setting one
// that the caller exports would change it for the commands. Every file is made new (-C) and private. A redirection that
// fails ends a shell whose command is one of its own special ones, so printf makes the empty files, not ":".
//
// _make DRAFT STDOUT STDERR
// _is_ready TASKS_FOLDER RUNNING_FOLDER RECORD asks what nobody has asked before an unchecked start.
// _own gives a subshell what commands are to have instead of what is ours: the PATH of the runtime, and the caller's
// umask as it is now.
function preamble(script: string): string {
  return `
_has_path=\${PATH+1} _command_path=\${PATH-}
PATH=\${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin
_setsid=$(command -v setsid) _sync=$(command -v sync)
_supervisor=${shellQuote(script)}
umask 077
set -C
_make() {
  printf '' > "$2" && { [ "$2" = "$3" ] || printf '' > "$3"; } && printf '%${endingBytesReserved}s' '' > "$1"
}
_is_ready() {
  [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ] && [ -d "$2" ] && [ ! -L "$2" ] && [ -O "$2" ] && [ ! -e "$3" ] ||
    return 1
  set -- "$2"/*
  [ $# -lt ${concurrentTasksMax} ]
}
_own() {
  if [ -n "$_has_path" ]; then PATH=$_command_path; else unset PATH; fi
  { read -r _x && read -r _x _mask; } < "/proc/$PPID/status"
  [ "$_x" != Umask: ] || umask "$_mask"
}
`;
}

// A line of shell: unless who asked has died, writes the record and, while it is put on the disk, makes the other files
// and starts the supervisor in the folder, with the request's own variables, in a session of its own, with the task's files as
// descriptors. setsid forks, not the shell: what a shell puts into the background ignores interrupts for ever. Stdin is
// opened for both ways, because a pipe that nobody writes to yet must not look as if it had ended.
function commandLine(
  number: string,
  request: StartRequest,
  { isUnchecked }: { isUnchecked: boolean },
): string {
  const { args, cwd, env, files, record, streams } = request;
  const { stdin, stdout, stderr } = streams;
  const made = [files.endingDraft, stdout, stderr].map(shellQuote).join(" ");
  const folder = shellQuote(path.dirname(files.record));
  const synced = `${shellQuote(files.record)} ${folder}`;
  const asked = `${folder} ${shellQuote(path.dirname(files.endingDraft))} ${shellQuote(files.record)}`;
  const words = ['"$_setsid" -f /bin/sh -c "$_supervisor" holdfast-supervisor', ...args.map(shellQuote)];
  return [
    isUnchecked ? `if ! _is_ready ${asked}; then echo ${number} unready; elif ` : "if ",
    `kill -0 "$PPID" && printf '%s\\n' ${shellQuote(record.trimEnd())} > ${shellQuote(files.record)} && { "$_sync" ${synced} & `,
    stdin === undefined ? "" : `mkfifo -m 600 ${shellQuote(stdin)} && `,
    `_make ${made} && (_own; ${variables(env)}cd ${shellQuote(cwd)} && exec ${words.join(" ")}) `,
    `<> ${shellQuote(stdin ?? "/dev/null")} >> ${shellQuote(stdout)} 2>> ${shellQuote(stderr)} && wait $!; }; `,
    `then echo ${number} started; else echo ${number} failed; fi\n`,
  ].join("");
}

// One that no shell can name (a.b) would not pass the supervisor either.
function variables(env: EnvChanges): string {
  return Object.entries(env)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) =>
      value === undefined ? `unset ${name}; ` : `export ${name}=${shellQuote(value)}; `,
    )
    .join("");
}
