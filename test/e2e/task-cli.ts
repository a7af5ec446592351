import { spawn } from "node:child_process";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { spawn as spawnOnTerminal } from "@lydell/node-pty";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { testHome, waitFor, type HoldfastRun, type TestHome } from "../support/index.ts";
import { markedProcesses } from "../support/task-world.ts";
import { run } from "./cli.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

/** A home for tasks. Disposing of it stops what still runs and fails if a process of a task is left. */
export interface TaskHome extends TestHome, AsyncDisposable {
  /** Runs the command to its end. */
  holdfast(...args: string[]): Promise<HoldfastRun>;
  /** Runs it with `--json` and reads the answer; the fields that a test names are its own business. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** Starts a task and returns its id. */
  start(...args: string[]): Promise<string>;
  /** Waits until a task has ended, without being told of it as somebody who waits for it is. */
  untilEnded(id: string): Promise<void>;
  /** Starts the command and leaves it running. */
  spawn(...args: string[]): SpawnedCommand;
  /** Runs the command with an output that takes nothing. */
  intoFullDisk(...args: string[]): Promise<{ code: number | null; stderr: string }>;
  /** Starts the command on a terminal of its own. */
  spawnOnTerminal(args: string[], size?: { columns: number; rows: number }): CommandOnTerminal;
}

export interface SpawnedCommand {
  readonly pid: number;
  /** What it has written so far. */
  readonly stdout: string;
  kill(signal: NodeJS.Signals): void;
  /** Waits until it has written this to standard error. */
  says(text: string): Promise<void>;
  /** Resolves when it has ended and all that it wrote is there. */
  ended(): Promise<EndedCommand>;
}

export interface EndedCommand {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  /** Standard output before it was decoded. */
  bytes: Buffer;
  stderr: string;
}

export interface CommandOnTerminal {
  /** Everything that came to the screen so far, escapes included. */
  readonly screen: string;
  type(text: string): void;
  resize(size: { columns: number; rows: number }): void;
  /** Waits until the screen has got this. */
  shows(text: string | RegExp): Promise<void>;
  ended(): Promise<number>;
}

export function taskHome(more: Record<string, string> = {}): TaskHome {
  const home = testHome();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home.userHome,
    HOLDFAST_HOME: home.home,
    CLAUDE_CONFIG_DIR: home.configDir,
    LANG: "C.UTF-8",
    LOGNAME: "tester",
    SHELL: "/bin/sh",
    ...more,
  };
  const holdfast = (...args: string[]): Promise<HoldfastRun> => run(args, { home, env });
  const json = async <T>(...args: string[]): Promise<T> => {
    // Behind a `--` everything belongs to the command that is to be run.
    const end = args.indexOf("--");
    const words = end < 0 ? [...args, "--json"] : [...args.slice(0, end), "--json", ...args.slice(end)];
    return JSON.parse((await holdfast(...words)).stdout) as T;
  };
  return {
    ...home,
    holdfast,
    json,
    async untilEnded(id) {
      await waitFor(async () => (await json<{ status: string }>("inspect", id)).status !== "running");
    },
    async start(...args) {
      const { stdout, stderr } = await holdfast("run", ...args);
      if (stdout === "") throw new Error(`Cannot start task: ${stderr}`);
      return stdout.trim();
    },
    spawn: (...args) => spawnCommand(args, { cwd: home.cwd, env }),
    async intoFullDisk(...args) {
      const full = fs.openSync("/dev/full", "w");
      const { code, stderr } = await spawnCommand(args, { cwd: home.cwd, env, stdout: full }).ended();
      fs.closeSync(full);
      return { code, stderr };
    },
    spawnOnTerminal: (args, { columns, rows } = { columns: 80, rows: 24 }) =>
      commandOnTerminal(args, { cwd: home.cwd, env, columns, rows }),
    async [Symbol.asyncDispose]() {
      const { tasks } = openTestTasks({ home: home.home, configDir: home.configDir, env });
      for (const task of await tasks.list()) await tasks.stop(task, { by: "the test's end", graceMs: 200 });
      await tasks.close();
      const left = (await tasks.list({ all: true })).flatMap(({ record }) => markedProcesses(record.id));
      if (left.length > 0) throw new Error(`Processes of ended tasks are left: ${left.join(", ")}`);
    },
  };
}

interface Surroundings {
  cwd: string;
  env: Record<string, string>;
}

function spawnCommand(
  args: string[],
  { cwd, env, stdout = "pipe" }: Surroundings & { stdout?: "pipe" | number },
): SpawnedCommand {
  const child = spawn(process.execPath, [bin, ...args], { cwd, env, stdio: ["ignore", stdout, "pipe"] });
  const pieces: Buffer[] = [];
  let stderr = "";
  child.stdout?.on("data", (piece: Buffer) => pieces.push(piece));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const written = (): Buffer => Buffer.concat(pieces);
  const ending = new Promise<EndedCommand>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: written().toString(), bytes: written(), stderr }),
    );
  });
  return {
    pid: child.pid ?? 0,
    get stdout() {
      return written().toString();
    },
    kill: (signal) => void child.kill(signal),
    async says(text) {
      await waitFor(() => stderr.includes(text));
    },
    ended: () => ending,
  };
}

function commandOnTerminal(
  args: string[],
  { cwd, env, columns, rows }: Surroundings & { columns: number; rows: number },
): CommandOnTerminal {
  const terminal = spawnOnTerminal(process.execPath, [bin, ...args], {
    name: env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env,
  });
  let screen = "";
  terminal.onData((text) => (screen += text));
  const ending = new Promise<number>((resolve) =>
    terminal.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode)),
  );
  return {
    get screen() {
      return screen;
    },
    type: (text) => terminal.write(text),
    resize: (size) => terminal.resize(size.columns, size.rows),
    shows: async (text) => {
      await waitFor(() => (typeof text === "string" ? screen.includes(text) : text.test(screen)));
    },
    ended: () => ending,
  };
}

/** Whether a process is there and no zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(fs.readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
