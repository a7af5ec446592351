import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { launchShell, type LaunchState } from "../../src/tasks/kinds/shell/launch-shell.ts";
import type { ShellOptions } from "../../src/tasks/kinds/shell/shell-request.ts";
import { startTask, supervisorVariables, type TaskStarter } from "../../src/tasks/supervise/start-process.ts";
import type { Agents } from "../../src/agents/open-agents.ts";
import type { Tasks } from "../../src/tasks/open-tasks.ts";
import { readTask, type Task } from "../../src/tasks/record/task.ts";
import type { EndedState } from "../../src/tasks/record/task-state.ts";
import { openTestTasks } from "./open-test-tasks.ts";
import { realProc } from "./other-machine.ts";
import { tempDir } from "./temp-dir.ts";

export interface TaskWorldOptions {
  home?: string;
  cwd?: string;
  env?: Record<string, string | undefined>;
  clock?: Clock;
  isSessionAlive?: (sessionId: string) => boolean;
  bySmallLauncher?: boolean;
}

/** A home with its tasks. Disposing of it stops what still runs and fails if anything of a task is left. */
export interface TaskWorld extends AsyncDisposable {
  readonly home: string;
  readonly configDir: string;
  readonly cwd: string;
  readonly tasks: Tasks;
  readonly agents: Agents;
  /** Runs a command to its end. Throws when it does not end soon. */
  run(command: string, request?: Partial<ShellOptions>): Promise<EndedTask>;
  /** Waits for the end of a task. Throws when it does not come soon. */
  ended(task: Task): Promise<EndedTask>;
  /** Starts a task under a supervisor that this shell, or this starter, runs. */
  startUnder(
    shell: string | TaskStarter,
    request: Partial<ShellOptions> & { command: string },
    state?: LaunchState,
  ): Promise<Task>;
}

export interface EndedTask {
  task: Task;
  state: EndedState;
  stdout: string;
  stderr: string;
}

export const basicEnv: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin:/bin" };
/** Late on purpose: only a failing test waits this long. */
const WAIT_MS = 30_000;

export function taskWorld(options: TaskWorldOptions = {}): TaskWorld {
  const dir = tempDir();
  const { home = path.join(dir, "home"), cwd = dir, env = basicEnv, clock = systemClock } = options;
  const configDir = path.join(dir, "claude");
  const { tasks, agents } = openTestTasks({ ...options, home, configDir, env });
  const ended = async (task: Task): Promise<EndedTask> => {
    const state = await tasks.wait(task, { timeoutMs: WAIT_MS });
    if (!state)
      throw new Error(
        `Task ${task.record.id} has not ended: ${JSON.stringify((await tasks.refresh(task)).state)}`,
      );
    return { task, state, stdout: readText(task.files.output), stderr: readText(task.files.stderr) };
  };
  return {
    home,
    configDir,
    cwd,
    tasks,
    agents,
    ended,
    run: async (command, request) => ended(await tasks.start({ command, cwd, ...request })),
    async startUnder(shell, request, state = { running: 0, after: [] }) {
      const context = { home, env, clock, start: typeof shell === "string" ? starterWith(shell) : shell };
      const { files } = await launchShell(context, { cwd, ...request }, state);
      return readTask(files)!;
    },
    async [Symbol.asyncDispose]() {
      for (const task of await tasks.list()) await tasks.stop(task, { by: "the test's end", graceMs: 200 });
      await tasks.close();
      const left = (await tasks.list({ all: true })).flatMap(({ record }) => markedProcesses(record.id));
      if (left.length > 0) throw new Error(`Processes of ended tasks are left: ${left.join(", ")}`);
    },
  };
}

/** Pids that carry a task's marker, looked for on the whole machine, without the product's own search. */
export function markedProcesses(id: string): number[] {
  return fs
    .readdirSync(realProc)
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`HOLDFAST_TASK_ID=${id}`))
    .map(Number);
}

function environmentOf(pid: string): string[] {
  try {
    return fs.readFileSync(`${realProc}/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}

/** The shells that a supervisor has to work with, by the names under which systems have them as sh. */
export const supervisorShells: readonly string[] = ["dash", "bash", "zsh", "busybox", "mksh", "yash"]
  .map((name) => `/bin/${name}`)
  .filter((shell) => fs.existsSync(shell));

// Called sh, as on the systems where it is the system's one.
/** Starts supervisors under that shell. */
export function starterWith(shell: string): TaskStarter {
  return (request) =>
    startTask(request, async ({ script, args, cwd }, stdio) => {
      const words = ["-c", script, "holdfast-supervisor", ...args];
      const env = supervisorVariables(request);
      await once(spawn(shell, words, { argv0: "sh", cwd, env, stdio, detached: true }), "spawn");
    });
}

function readText(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}
