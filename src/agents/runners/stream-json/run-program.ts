import type { RunnerEnd, RunnerEvent, RunnerRequest } from "../../../tasks/ports.ts";
import { describeEnding, startAgentProcess, type AgentCommand, type AgentProcess } from "../agent-process.ts";
import { runnerError } from "../errors.ts";
import { readJsonLines } from "../read-json-lines.ts";
import type { LineConversation } from "./conversation.ts";

export interface ProgramRun {
  command: AgentCommand;
  conversation: LineConversation;
  request: Pick<RunnerRequest, "cwd" | "env">;
  graceMs: number;
}

/**
 * Runs a program to its end and yields what its lines tell. Reads the next line when the last event is recorded, so what
 * the program asks for afterwards is asked with that on disk. Nothing of it runs when this has ended by an abort.
 */
export async function* runProgram(
  { command, conversation, request, graceMs }: ProgramRun,
  signal: AbortSignal,
): AsyncGenerator<RunnerEvent, RunnerEnd> {
  const args = [...(command.args ?? []), ...conversation.args];
  const agent = await startAgentProcess({ ...command, args }, request);
  const stopAsking = interruptOnAbort(agent, { conversation, graceMs, signal });
  const notes: Notes = {};
  try {
    conversation.begin(agent);
    yield* hearLines(agent, conversation, notes);
    yield* conversation.finish();
    const ending = await agent.ended;
    signal.throwIfAborted();
    const { name = command.command } = command;
    if (notes.failure !== undefined) throw failed(name, notes.failure);
    if (ending.code !== 0) {
      const printed = notes.garbage === undefined ? "" : `; it printed: ${notes.garbage}`;
      throw failed(name, describeEnding(ending, agent.stderrTail()) + printed, { ...ending });
    }
    return notes.end ?? { reason: "done" };
  } finally {
    stopAsking();
    await agent.kill({ graceMs: 0 });
  }
}

interface Notes {
  end?: RunnerEnd;
  failure?: string;
  /** The last thing that it printed and that was no JSON. */
  garbage?: string;
}

async function* hearLines(
  agent: AgentProcess,
  conversation: LineConversation,
  notes: Notes,
): AsyncGenerator<RunnerEvent, void> {
  for await (const line of readJsonLines(agent.stdout)) {
    if (line.kind === "garbage") notes.garbage = line.text;
    else if (line.kind === "oversized") {
      const problem = `a line of ${line.bytes} bytes is longer than any message`;
      throw runnerError("agent_protocol", `Cannot read what the agent prints: ${problem}`);
    } else {
      for (const event of conversation.hear(line.value, agent)) {
        if (event.kind === "end") notes.end = event.end;
        else if (event.kind === "failure") notes.failure = event.message;
        else if (event.kind === "refused") throw event.error;
        else yield event;
      }
    }
  }
}

function interruptOnAbort(
  agent: AgentProcess,
  { conversation, graceMs, signal }: Pick<ProgramRun, "conversation" | "graceMs"> & { signal: AbortSignal },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    if (!conversation.interrupt) return void agent.kill({ graceMs });
    conversation.interrupt(agent);
    timer = setTimeout(() => void agent.kill({ graceMs: 0 }), graceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return () => {
    signal.removeEventListener("abort", onAbort);
    clearTimeout(timer);
  };
}

function failed(name: string, why: string, fields: Record<string, unknown> = {}): Error {
  return runnerError("agent_failed", `Cannot continue agent "${name}": ${why}`, { fields });
}
