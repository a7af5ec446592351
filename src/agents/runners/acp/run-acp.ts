import { setTimeout as delay } from "node:timers/promises";
import { RequestError, type StopReason } from "@agentclientprotocol/sdk";
import { agentDrainMs, agentStopGraceMs } from "../limits.ts";
import { agentStartMs } from "./limits.ts";
import { HoldfastError } from "../../../lib/errors.ts";
import type { RunnerEnd, RunnerEvent, RunnerRequest } from "../../../tasks/ports.ts";
import {
  describeEnding,
  startAgentProcess,
  type AgentCommand,
  type AgentEnding,
  type AgentProcess,
} from "../agent-process.ts";
import { runnerError } from "../errors.ts";
import { requireFence } from "../require-fence.ts";
import { promptTexts } from "../retell-conversation.ts";
import { AcpClient } from "./acp-client.ts";
import type { AcpRunnerOptions } from "./acp-runner.ts";
import { EventQueue } from "./event-queue.ts";

/** One run of the agent; see `acpRunner`. */
export async function* runAcp(
  { startMs = agentStartMs, graceMs = agentStopGraceMs, fence, habits, ...command }: AcpRunnerOptions,
  request: RunnerRequest,
  signal: AbortSignal,
): AsyncGenerator<RunnerEvent, RunnerEnd> {
  signal.throwIfAborted();
  const name = command.name ?? command.command;
  const known = { name, habits, fence: requireFence({ name, fence }, request.permission) };
  const env = { ...command.env, ...known.fence?.env };
  const agent = await startAgentProcess({ ...command, env }, request);
  const events = new EventQueue();
  const client = new AcpClient({ agent, request, events, signal, known });
  let end: RunnerEnd | undefined;
  const talk = async (): Promise<void> => {
    try {
      end = await converse(client, { request, signal, startMs, graceMs });
      events.end();
    } catch (error) {
      client.endTurn("The agent stopped before it reported a result");
      events.end({ error: await explain(error, { agent, client, command, signal }) });
    }
  };
  void talk();
  try {
    yield* events;
    return end!;
  } finally {
    await client.close();
    await (end ? agent.stop({ graceMs }) : agent.kill({ graceMs: 0 }));
  }
}

interface Limits {
  request: RunnerRequest;
  signal: AbortSignal;
  startMs: number;
  graceMs: number;
}

async function converse(
  client: AcpClient,
  { request, signal, startMs, graceMs }: Limits,
): Promise<RunnerEnd> {
  const session = await within(client.open(), { signal, graceMs: 0, timeoutMs: startMs });
  let texts = session.isResumed ? [request.prompt] : promptTexts(request);
  for (;;) {
    signal.addEventListener("abort", cancel, { once: true });
    const stopReason = await within(client.prompt(texts, session), { signal, graceMs }).finally(() =>
      signal.removeEventListener("abort", cancel),
    );
    signal.throwIfAborted();
    const isOver = stopReason === "end_turn" || stopReason === "cancelled";
    if (isOver && client.denial !== undefined && !client.isInterrupted) {
      // Some agents end their turn where they are refused something, and wait to be told what to do instead.
      texts = [`That was not allowed: ${client.denial}. Go on without it, or say what you cannot do.`];
      client.hear(texts[0]!, { isMeta: true });
      continue;
    }
    if (stopReason !== "end_turn") return endOf(stopReason, client);
    texts = await request.takeMessages();
    if (texts.length === 0) return { reason: "done" };
    for (const text of texts) client.hear(text);
  }
  function cancel(): void {
    client.cancel();
  }
}

function endOf(stopReason: Exclude<StopReason, "end_turn">, client: AcpClient): RunnerEnd {
  switch (stopReason) {
    case "max_tokens":
    case "refusal":
      return { reason: stopReason };
    case "max_turn_requests":
      return { reason: "max_turns" };
    case "cancelled":
      if (client.isInterrupted) return { reason: "refusal" };
      throw runnerError("agent_failed", "Cannot finish: the agent cancelled its own turn");
    default:
      throw runnerError("agent_protocol", `Cannot finish: unknown stop reason "${String(stopReason)}"`);
  }
}

interface WithinOptions {
  signal: AbortSignal;
  /** How much longer it may take once the signal has come. */
  graceMs: number;
  timeoutMs?: number;
}

async function within<T>(work: Promise<T>, { signal, graceMs, timeoutMs }: WithinOptions): Promise<T> {
  const timers: NodeJS.Timeout[] = [];
  let onAbort = (): void => {};
  const tooLong = new Promise<never>((_, reject) => {
    onAbort = () => void timers.push(setTimeout(() => reject(signal.reason as Error), graceMs));
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    if (timeoutMs === undefined) return;
    const message = `Cannot talk to the agent: no answer in ${timeoutMs / 1000} s`;
    timers.push(setTimeout(() => reject(runnerError("agent_protocol", message)), timeoutMs));
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

interface Circumstances {
  agent: AgentProcess;
  client: AcpClient;
  command: AgentCommand;
  signal: AbortSignal;
}

/** What went wrong, for a person: the agent's own words, how it ended, what it printed. */
async function explain(error: unknown, { agent, client, command, signal }: Circumstances): Promise<unknown> {
  if (signal.aborted) return signal.reason;
  const { name = command.command } = command;
  const printed = client.garbage === undefined ? "" : `; it printed: ${client.garbage}`;
  if (error instanceof RequestError) {
    const details = error.data === undefined ? "" : ` (${JSON.stringify(error.data)})`;
    const message = `Cannot continue agent "${name}": ${error.message}${details}`;
    return runnerError("agent_failed", message, { cause: error, fields: { rpcCode: error.code } });
  }
  if (error instanceof HoldfastError) {
    if (error.code !== "agent_protocol" || printed === "") return error;
    return runnerError("agent_protocol", error.message + printed, { cause: error.cause });
  }
  if (!client.isClosed) return error;
  const ending = await endingSoon(agent);
  const how = ending ? describeEnding(ending, agent.stderrTail()) : "it closed its output";
  const message = `Cannot continue agent "${name}": ${how}${printed}`;
  return runnerError("agent_failed", message, { cause: error, fields: { ...ending } });
}

// Who closes its output has ended, or is about to; or it lives on and says no more.
function endingSoon(agent: AgentProcess): Promise<AgentEnding | undefined> {
  return Promise.race([agent.ended, delay(agentDrainMs, undefined, { ref: false })]);
}
