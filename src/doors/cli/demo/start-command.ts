import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { CommandRun, StartedCommand } from "./scene.ts";

export interface CommandSurroundings {
  /** Where the process is noted while it runs. */
  children: Set<ChildProcess>;
  home: string;
  configDir: string;
  cwd: string;
  columns: number;
}

export interface CommandInput {
  /** Standard input; without it there is none. */
  input?: string;
  env?: Record<string, string>;
}

/** Starts the command that is running now, once more, on the stage. */
export function startCommand(
  args: readonly string[],
  { children, home, configDir, cwd, columns }: CommandSurroundings,
  { input, env = {} }: CommandInput = {},
): StartedCommand {
  const surroundings = {
    HOLDFAST_HOME: home,
    CLAUDE_CONFIG_DIR: configDir,
    // The tour has a fleet of its own.
    HOLDFAST_NATS_URL: "",
    COLUMNS: String(columns),
    NO_COLOR: "1",
    // A clone compiles its sources at every start; the tour starts two dozen times.
    NODE_COMPILE_CACHE: path.join(home, "compiled"),
  };
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...args], {
    cwd,
    env: { ...process.env, ...surroundings, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // The command may end without having read its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  children.add(child);
  child.once("close", () => children.delete(child));
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => stdout.push(data));
  child.stderr.on("data", (data: Buffer) => stderr.push(data));
  const textOf = (pieces: Buffer[]): string => Buffer.concat(pieces).toString();
  const ending = new Promise<CommandRun>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout: textOf(stdout), stderr: textOf(stderr) }));
  });
  const firstLine = new Promise<string>((resolve) => {
    const look = (): void => {
      const line = /^(.*)\n/.exec(textOf(stdout))?.[1];
      if (line !== undefined) resolve(line);
    };
    child.stdout.on("data", look);
    child.once("close", () => resolve(textOf(stdout)));
  });
  return {
    pid: child.pid ?? 0,
    firstLine: () => firstLine,
    ended: () => ending,
    async kill() {
      child.kill("SIGKILL");
      await ending;
    },
  };
}
