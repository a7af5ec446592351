import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A program of test/programs that runs: what it says line by line, and its end. */
export interface Program {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Every line it printed so far; grows. */
  readonly lines: readonly string[];
  /** What it complained about so far. */
  readonly errors: readonly string[];
  say(line: string): void;
  /** It gets no more lines. */
  hangUp(): void;
  /** Resolves when it has ended and all its lines are there. */
  ended(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal?: NodeJS.Signals): void;
}

/** Starts test/programs/<name>.ts with the Node that runs the tests. */
export function startProgram(name: string, args: string[]): Program {
  const child = spawn(process.execPath, argumentsOf(name, args), { stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  // A killed program does not read what was meant for it.
  child.stdin.on("error", () => {});
  const ending = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    pid: child.pid ?? 0,
    lines,
    errors,
    say: (line) => void child.stdin.write(`${line}\n`),
    hangUp: () => void child.stdin.end(),
    ended: () => ending,
    kill: (signal = "SIGKILL") => void child.kill(signal),
  };
}

/** Runs test/programs/<name>.ts to its end, during which this process stands still. */
export function runProgram(name: string, args: string[]): void {
  const done = spawnSync(process.execPath, argumentsOf(name, args), { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Cannot run "${name}": ${done.stderr}`);
}

function argumentsOf(name: string, args: readonly string[]): string[] {
  const file = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
  return ["--disable-warning=ExperimentalWarning", file, ...args];
}
