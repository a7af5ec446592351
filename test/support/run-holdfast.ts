import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { tempDir } from "./temp-dir.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

/** A home of its own for a command: nothing of the developer's is seen or touched. */
export interface TestHome {
  /** $HOME */
  userHome: string;
  /** $HOLDFAST_HOME, not made yet. */
  home: string;
  /** $CLAUDE_CONFIG_DIR, not made yet. */
  configDir: string;
  /** A working directory that exists. */
  cwd: string;
}

export function testHome(): TestHome {
  const dir = tempDir();
  const cwd = path.join(dir, "work");
  const userHome = path.join(dir, "user");
  fs.mkdirSync(cwd);
  fs.mkdirSync(userHome);
  return { userHome, home: path.join(dir, "state"), configDir: path.join(dir, "config"), cwd };
}

export interface HoldfastRunOptions {
  /** The same home for several commands; by default each gets a new, empty one. */
  home?: TestHome;
  /** Added to, or put over, the few variables that the command is given. */
  env?: Record<string, string>;
  cwd?: string;
  /** Standard input; empty by default. */
  input?: string;
}

export interface HoldfastRun {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Runs the real command to its end, with the Node that runs the tests. */
export async function holdfast(args: string[], options: HoldfastRunOptions = {}): Promise<HoldfastRun> {
  const { home = testHome(), env = {}, input = "" } = options;
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? home.cwd,
    env: { ...environmentOf(home), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // The command may end without having read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (...ending) => resolve(ending));
  });
  return { code, signal, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

/** A command that goes on until it is ended. */
export interface StartedHoldfast {
  readonly pid: number;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
  /** Sends a signal; its exit code, null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the real command, for who ends it. */
export function startHoldfast(args: readonly string[], { home }: { home: TestHome }): StartedHoldfast {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: home.cwd,
    env: environmentOf(home),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (piece: string) => (written[stream] += piece));
  const ended = new Promise<number | null>((resolve) => child.on("close", (code) => resolve(code)));
  return {
    pid: child.pid ?? 0,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

function environmentOf(home: TestHome): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home.userHome,
    HOLDFAST_HOME: home.home,
    CLAUDE_CONFIG_DIR: home.configDir,
    LANG: "C.UTF-8",
    TZ: "UTC",
  };
}
