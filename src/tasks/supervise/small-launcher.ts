import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { launcherAnswerMs } from "../kinds/shell/limits.ts";
import { shellQuote } from "../../lib/shell-quote.ts";
import { environmentText, environmentVariables, type EnvChanges } from "./command-environment.ts";
import { supervisorName } from "./task-processes.ts";
import {
  spawnSupervisor,
  supervisorChanges,
  type StartRequest,
  type SupervisorSpawner,
} from "./start-process.ts";

// Reads requests, a line each, and starts what they say in a session of its own. setsid forks, not the shell: what a shell puts
// into the background ignores interrupts forever; where it cannot (busybox), the answer is 127. Ends with the process that asks.
const LOOP =
  'setsid -f true || while read -r _line; do echo 127; done; _n=$(printf "\\n."); _n=${_n%.}; while IFS= read -r _line; do eval "$_line"; echo $?; done';

/**
 * A small process that starts the supervisors of a large one, whose own forks would block its event loop for as long as its
 * memory takes to copy. What it cannot do, or does not answer in time, is done from here: whichever supervisor is first
 * takes charge of the task, and the other one ends.
 */
export class SmallLauncher {
  /** One for each script: what a task asks for decides which it gets. */
  readonly #shells = new Map<string, LauncherShell>();
  /** It has answered that it cannot: the system's setsid is one that does not fork. */
  #isUseless = false;
  readonly #env: EnvChanges;

  /** `env` is the runtime's, which requests only change. */
  constructor(env: EnvChanges) {
    this.#env = env;
  }

  readonly spawnSupervisor: SupervisorSpawner = async (request, stdio) => {
    // A whole new environment is none of its: what it has of its own would be left over.
    const changes = this.#isUseless ? undefined : supervisorChanges(request);
    if (!changes || (await this.#ask(request, changes)) !== "0") await spawnSupervisor(request, stdio);
  };

  close(): void {
    for (const shell of this.#shells.values()) shell.close();
    this.#shells.clear();
  }

  async #ask(request: StartRequest, changes: Record<string, string>): Promise<string | undefined> {
    const shell = this.#shellFor(request.script);
    const asked = shell.ask(requestLine(request, changes)).then((text) => ({ text }));
    let answered: number;
    let heard: { text: string | undefined } | undefined;
    // As long as others are answered it is at work, and this request waits in its turn.
    do {
      answered = shell.answered();
      heard = await Promise.race([asked, delay(launcherAnswerMs, undefined, { ref: false })]);
    } while (!heard && shell.answered() > answered);
    const answer = heard?.text;
    if (answer === undefined && this.#shells.get(request.script) === shell) {
      shell.close();
      this.#shells.delete(request.script);
    }
    this.#isUseless ||= answer !== undefined && answer !== "0";
    if (this.#isUseless) this.close();
    return answer;
  }

  #shellFor(script: string): LauncherShell {
    const known = this.#shells.get(script);
    if (known) return known;
    const shell = openShell(script, this.#env);
    this.#shells.set(script, shell);
    return shell;
  }
}

interface LauncherShell {
  /** The exit code of what it was asked to start; undefined when it has died. */
  ask(line: string): Promise<string | undefined>;
  /** How many requests it has answered. */
  answered(): number;
  close(): void;
}

function openShell(script: string, env: EnvChanges): LauncherShell {
  const child = spawn("/bin/sh", ["-c", LOOP, "holdfast-launcher", script, String(process.pid)], {
    cwd: "/",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", ...environmentVariables(environmentText(env)) },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const waiting: ((answer?: string) => void)[] = [];
  let answered = 0;
  const fail = (): void => waiting.splice(0).forEach((resolve) => resolve());
  child.on("error", fail).on("exit", fail);
  const [stdin, stdout] = [child.stdin as Writable & Pinned, child.stdout as Readable & Pinned];
  stdin.on("error", fail);
  stdout.setEncoding("latin1").on("data", (text: string) => {
    for (const answer of text.trim().split("\n")) {
      answered++;
      waiting.shift()?.(answer);
    }
    if (waiting.length === 0) stdout.unref();
  });
  // Only an unanswered request keeps this process alive.
  for (const each of [child, stdin, stdout]) each.unref();
  return {
    answered: () => answered,
    ask: (line) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (hasEnded(child)) return fail();
        stdout.ref();
        stdin.write(line);
      }),
    close: () => {
      stdin.end();
      stdout.unref();
    },
  };
}

interface Pinned {
  ref(): void;
  unref(): void;
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}

function requestLine({ args, cwd, streams }: StartRequest, changes: Record<string, string>): string {
  const { stdin = "/dev/null", stdout, stderr } = streams;
  const variables = Object.entries(changes)
    .map(([name, value]) => `export ${name}=${quote(value)}; `)
    .join("");
  const files = `<> ${quote(stdin)} >> ${quote(stdout)} 2>> ${quote(stderr)}`;
  const start = `exec setsid -f /bin/sh -c "$1" ${supervisorName} ${args.map(quote).join(" ")}`;
  return `( cd ${quote(cwd)} && { ${variables}${start}; } ${files} )\n`;
}

// A request is one line, so the ends of lines in its words are a variable.
function quote(text: string): string {
  return text.split("\n").map(shellQuote).join('"$_n"');
}
