import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { agentDrainMs, agentStderrTailBytes } from "./limits.ts";
import { runnerError } from "./errors.ts";
import { OutputTail } from "./output-tail.ts";

/** How a program is started that is an agent. */
export interface AgentCommand {
  command: string;
  /** What errors call it; the command itself by default. */
  name?: string | undefined;
  args?: readonly string[] | undefined;
  /** Added to the environment of the request. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface AgentEnding {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** An agent that runs as a child, in a process group of its own so that what it started can be ended with it. */
export interface AgentProcess {
  readonly stdin: Writable;
  /** Ends soon after the agent, also when a child of its own still holds it. */
  readonly stdout: Readable;
  readonly ended: Promise<AgentEnding>;
  /** The last words on its stderr. */
  stderrTail(): string;
  /** Closes its input and waits; kills it, and its group, when it takes too long. */
  stop(options: { graceMs: number }): Promise<AgentEnding>;
  /** As `stop`, but terminates it at once, and leaves nothing of its group running however it ends. */
  kill(options: { graceMs: number }): Promise<AgentEnding>;
}

/** Starts the agent. Throws `agent_not_started` when there is no such program, or the folder is gone. */
export async function startAgentProcess(
  { command, name = command, args = [], env }: AgentCommand,
  request: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Promise<AgentProcess> {
  const child = spawn(command, args, {
    cwd: request.cwd,
    env: { ...request.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<AgentEnding>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  // An agent that ended does not read what was meant for it; its ending tells more than the broken pipe.
  child.stdin.on("error", () => {});
  const tail = new OutputTail(agentStderrTailBytes);
  child.stderr.on("data", (chunk: Buffer) => tail.add(chunk)).on("error", () => {});
  endPipesAfter(child);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) =>
      reject(runnerError("agent_not_started", `Cannot start agent "${name}": ${cause.message}`, { cause })),
    );
  });
  let isForced = false;
  child.once("exit", () => isForced && signalGroup(child.pid, "SIGKILL"));
  const stop = async ({ graceMs }: { graceMs: number }): Promise<AgentEnding> => {
    child.stdin.end();
    const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
    const ending = await ended;
    clearTimeout(timer);
    return ending;
  };
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    stderrTail: () => tail.read().text.trim(),
    stop,
    kill(options) {
      isForced = true;
      if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, "SIGTERM");
      return stop(options);
    },
  };
}

/** How an agent ended, in words for an error. */
export function describeEnding({ code, signal }: AgentEnding, stderr: string): string {
  const how = signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
  return stderr === "" ? how : `${how}: ${stderr}`;
}

/** What it printed is read to its end; what a child of it prints later is not waited for. */
export function endPipesAfter(child: ChildProcess): void {
  child.once("exit", () => {
    const timer = setTimeout(() => {
      for (const pipe of [child.stdout, child.stderr]) pipe?.destroy();
    }, agentDrainMs);
    child.once("close", () => clearTimeout(timer));
  });
}

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}
