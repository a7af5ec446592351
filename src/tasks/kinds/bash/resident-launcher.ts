import { spawn, type ChildProcessByStdio } from "node:child_process";
import fs from "node:fs";
import type { Readable, Writable } from "node:stream";
import { shellQuote } from "../../../lib/shell-quote.ts";
import { taskError } from "../../errors.ts";
import { startBySpawn, type ProcessStarter, type StartRequest } from "./start-process.ts";

type Child = ChildProcessByStdio<Writable, Readable, null>;

interface Waiting {
  child: Child;
  request: StartRequest;
  resolve: () => void;
  reject: (error: Error) => void;
}

/**
 * Starts supervisors from a small process of its own, an `sh` that runs what it is told. Starting a process blocks the
 * event loop in proportion to this process's memory; telling another one to do it does not. It ends with us, what it
 * started does not; if it dies, what it had not answered is started from here and the next launch starts a new one.
 */
export class ResidentLauncher {
  #child: Child | undefined;
  readonly #waiting = new Map<string, Waiting>();
  #requests = 0;
  readonly #env: Record<string, string>;

  /** `env` is what every command gets; a request only adds to it. */
  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  readonly start: ProcessStarter = (request) => {
    const child = (this.#child ??= this.#open(request.script));
    const number = String(++this.#requests);
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { child, request, resolve, reject });
      this.#holdOpen(child);
      child.stdin.write(commandLine(number, request, this.#env));
    });
  };

  close(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
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
    return child;
  }

  #answer(line: string): void {
    const [number = "", verdict] = line.split(" ");
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (verdict === "started") waiting?.resolve();
    else waiting?.reject(taskError("launch_failed", "Cannot start task: no supervisor could be started"));
  }

  // Only an unanswered request keeps this process alive.
  #holdOpen(child: Child): void {
    const isAwaited = [...this.#waiting.values()].some((waiting) => waiting.child === child);
    const handles = [child, child.stdin, child.stdout] as unknown as { ref(): void; unref(): void }[];
    for (const handle of handles) {
      if (isAwaited) handle.ref();
      else handle.unref();
    }
  }

  // What the dead one did start without an answer has a run file, at which a second supervisor ends at once.
  #takeOver(child: Child): void {
    if (this.#child === child) this.#child = undefined;
    for (const [number, waiting] of this.#waiting) {
      if (waiting.child !== child) continue;
      this.#waiting.delete(number);
      startBySpawn(waiting.request).then(waiting.resolve, waiting.reject);
    }
  }
}

// Our own tools are found whatever PATH the commands are given. The names begin with an underscore, because setting one
// that the caller exports would change it for the commands.
function preamble(script: string): string {
  return [
    "PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin",
    "_env=$(command -v env) _setsid=$(command -v setsid)",
    `_supervisor=${shellQuote(script)}`,
    "",
  ].join("\n");
}

// A line of shell: in the folder, with the request's own variables, in a session of its own, with the task's files as
// descriptors. setsid forks, not the shell: what a shell puts into the background ignores interrupts for ever. Stdin is
// opened for both ways, because a pipe that nobody writes to yet must not look as if it had ended.
function commandLine(
  number: string,
  { args, cwd, env, paths }: StartRequest,
  base: Record<string, string>,
): string {
  const own = Object.entries(env).filter(([name, value]) => base[name] !== value || name === "PATH");
  const gone = Object.keys({ PATH: "", ...base }).filter((name) => !(name in env));
  const words = [
    ...gone.map((name) => `-u ${shellQuote(name)}`),
    ...own.map(([name, value]) => shellQuote(`${name}=${value}`)),
    '"$_setsid" -f /bin/sh -c "$_supervisor" holdfast-supervisor',
    ...args.map(shellQuote),
  ];
  const files = `<> ${shellQuote(paths.stdin)} >> ${shellQuote(paths.stdout)} 2>> ${shellQuote(paths.stderr)}`;
  return `if ( ${umaskCommand()}cd ${shellQuote(cwd)} && exec "$_env" ${words.join(" ")} ) ${files}; then echo ${number} started; else echo ${number} failed; fi\n`;
}

// The caller's own, as it is now: the small process has that of when it began. Asking Node for it would set it.
function umaskCommand(): string {
  try {
    const [, umask] = /^Umask:\t(\d+)$/m.exec(fs.readFileSync("/proc/self/status", "latin1")) ?? [];
    return umask === undefined ? "" : `umask ${umask} && `;
  } catch {
    return "";
  }
}
