import { spawn, type ChildProcess } from "node:child_process";
import { RequestError, type CreateTerminalRequest } from "@agentclientprotocol/sdk";
import type { RunnerRequest } from "../../../tasks/ports.ts";
import { endPipesAfter, signalGroup } from "../agent-process.ts";
import { agentTerminalBytesMax, agentTerminalsMax } from "./limits.ts";
import { liveOutput } from "../live-output.ts";
import { OutputTail } from "../output-tail.ts";

export interface TerminalExit {
  exitCode: number | null;
  signal: string | null;
}

interface Terminal {
  child: ChildProcess;
  output: OutputTail;
  exit: TerminalExit | undefined;
  exited: Promise<TerminalExit>;
}

/** The commands that an agent lets its client run: real processes, with the end of their output kept. */
export class ClientTerminals {
  readonly #terminals = new Map<string, Terminal>();
  readonly #where: Pick<RunnerRequest, "cwd" | "env">;
  readonly #tell: ((terminalId: string, text: string) => void) | undefined;
  #count = 0;

  /** `tell` is told what a terminal prints while it runs. */
  constructor(where: Pick<RunnerRequest, "cwd" | "env">, tell?: (terminalId: string, text: string) => void) {
    this.#where = where;
    this.#tell = tell;
  }

  async create(request: CreateTerminalRequest): Promise<{ terminalId: string }> {
    if (this.#terminals.size >= agentTerminalsMax) {
      throw RequestError.invalidParams(undefined, `${agentTerminalsMax} terminals are open; release some`);
    }
    const output = new OutputTail(Math.min(request.outputByteLimit ?? Infinity, agentTerminalBytesMax));
    const terminalId = `terminal-${++this.#count}`;
    const tell = this.#tell;
    const watch = liveOutput(tell && ((text) => tell(terminalId, text)));
    const child = this.#start(request);
    const terminal: Terminal = { child, output, exit: undefined, exited: exitOf(child) };
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        output.add(chunk);
        watch(chunk);
      });
    void terminal.exited.then((exit) => (terminal.exit = exit));
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(RequestError.invalidParams(undefined, error.message)));
    });
    this.#terminals.set(terminalId, terminal);
    return { terminalId };
  }

  output(terminalId: string): { output: string; truncated: boolean; exitStatus?: TerminalExit } {
    const { output, exit } = this.#get(terminalId);
    const { text, isCut } = output.read();
    return { output: text, truncated: isCut, ...(exit && { exitStatus: exit }) };
  }

  /** What a terminal has printed, undefined when there is none of this id (any more). */
  findOutput(terminalId: string): string | undefined {
    return this.#terminals.get(terminalId)?.output.read().text;
  }

  waitForExit(terminalId: string): Promise<TerminalExit> {
    return this.#get(terminalId).exited;
  }

  kill(terminalId: string): Record<string, never> {
    killTree(this.#get(terminalId));
    return {};
  }

  /** Ends the command if it still runs and forgets its output. */
  release(terminalId: string): Record<string, never> {
    killTree(this.#get(terminalId));
    this.#terminals.delete(terminalId);
    return {};
  }

  /** Ends everything that still runs; resolves when it is gone. */
  async close(): Promise<void> {
    const terminals = [...this.#terminals.values()];
    for (const terminal of terminals) killTree(terminal);
    await Promise.all(terminals.map(({ exited }) => exited));
  }

  // Some agents send a program and its arguments, others a whole command line.
  #start({ command, args = [], env = [], cwd }: CreateTerminalRequest): ChildProcess {
    const [file, words] = args.length > 0 ? [command, args] : ["/bin/sh", ["-c", command]];
    return spawn(file, words, {
      cwd: cwd ?? this.#where.cwd,
      env: { ...this.#where.env, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
  }

  #get(terminalId: string): Terminal {
    const terminal = this.#terminals.get(terminalId);
    if (!terminal) throw RequestError.resourceNotFound(terminalId);
    return terminal;
  }
}

// When the command has ended and its output is read.
function exitOf(child: ChildProcess): Promise<TerminalExit> {
  endPipesAfter(child);
  return new Promise((resolve) => {
    child.once("error", () => resolve({ exitCode: null, signal: null }));
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function killTree({ child }: Terminal): void {
  if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, "SIGKILL");
}
