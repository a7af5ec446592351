import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { taskError } from "../../errors.ts";
import type { ProcessStarter, StartRequest } from "./start-process.ts";

/**
 * Starts supervisors from a small process of its own, an `sh` that runs what it is told. Starting a process blocks the
 * event loop in proportion to this process's memory; telling another one to do it does not. It ends with us, what it
 * started does not; if it dies, the next launch starts a new one and what it had not answered is reported as failed.
 */
export class ResidentLauncher {
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  readonly #waiting = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  #answers = "";
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
      this.#waiting.set(number, { resolve, reject });
      this.#holdOpen(child);
      child.stdin.write(commandLine(number, request, this.#env));
    });
  };

  close(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  #open(script: string): ChildProcessByStdio<Writable, Readable, null> {
    const child = spawn("/bin/sh", ["-s"], {
      cwd: "/",
      env: this.#env,
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    child.stdin.on("error", () => this.#fail(child));
    child.on("error", () => this.#fail(child));
    child.on("exit", () => this.#fail(child));
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.#answer(text));
    child.stdin.write(`supervisor=${quote(script)}\n`);
    return child;
  }

  #answer(text: string): void {
    const lines = (this.#answers + text).split("\n");
    this.#answers = lines.pop() ?? "";
    for (const line of lines) {
      const [number = "", verdict] = line.split(" ");
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (verdict === "started") waiting?.resolve();
      else waiting?.reject(taskError("launch_failed", "Cannot start task: no supervisor could be started"));
    }
    if (this.#child) this.#holdOpen(this.#child);
  }

  // Only an unanswered request keeps this process alive.
  #holdOpen(child: ChildProcessByStdio<Writable, Readable, null>): void {
    const handles = [child, child.stdin, child.stdout] as unknown as { ref(): void; unref(): void }[];
    for (const handle of handles) {
      if (this.#waiting.size > 0) handle.ref();
      else handle.unref();
    }
  }

  #fail(child: ChildProcessByStdio<Writable, Readable, null>): void {
    if (this.#child === child) this.#child = undefined;
    for (const { reject } of this.#waiting.values())
      reject(taskError("launch_failed", "Cannot start task: the launcher died", { retryable: true }));
    this.#waiting.clear();
  }
}

// A line of shell: in the folder, with the request's own variables, in a session of its own, with the task's files as
// descriptors. setsid forks, not the shell: what a shell puts into the background ignores interrupts for ever.
function commandLine(
  number: string,
  { args, cwd, env, paths }: StartRequest,
  base: Record<string, string>,
): string {
  const own = Object.entries(env).filter(([name, value]) => base[name] !== value);
  const gone = Object.keys(base).filter((name) => !(name in env));
  const variables = [
    ...gone.map((name) => `-u ${quote(name)}`),
    ...own.map(([name, value]) => quote(`${name}=${value}`)),
  ];
  const words = [
    "env",
    ...variables,
    "setsid",
    "-f",
    "/bin/sh",
    "-c",
    '"$supervisor"',
    "holdfast-supervisor",
    ...args.map(quote),
  ];
  const files = `< ${quote(paths.stdin)} >> ${quote(paths.stdout)} 2>> ${quote(paths.stderr)}`;
  return `if ( cd ${quote(cwd)} && exec ${words.join(" ")} ) ${files}; then echo ${number} started; else echo ${number} failed; fi\n`;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
