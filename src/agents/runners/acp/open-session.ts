import {
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type ClientContext,
  type InitializeResponse,
  type LoadSessionRequest,
  type SessionConfigOption,
  type SessionModeState,
} from "@agentclientprotocol/sdk";
import type { RunnerRequest } from "../../../tasks/ports.ts";
import { runnerError } from "../errors.ts";
import type { AcpHabits, Fence } from "../known/index.ts";
import { unfenced } from "../require-fence.ts";
import { enterFence } from "./enter-fence.ts";
import { allowedServices } from "./permission.ts";

export interface OpenedSession {
  sessionId: string;
  /** Whether the agent remembers what was said before. */
  isResumed: boolean;
  /** The model that answers, as far as the agent tells. */
  model: string;
}

/** What is known of the agent before it is asked: nothing but a name of one that only has a command. */
export interface AgentFacts {
  name: string;
  /** What must hold in this run. */
  fence?: Fence | undefined;
  habits?: AcpHabits | undefined;
}

/**
 * Greets the agent and opens its session: the earlier one when it still has it, else a new one. The session is in the mode
 * in which the agent asks, or `agent_unfenced` is thrown.
 */
export async function openSession(
  agent: ClientContext,
  request: RunnerRequest,
  known: AgentFacts,
): Promise<OpenedSession> {
  const { write, terminal } = allowedServices(request.tools);
  const readsOurs = !known.habits?.usesOwnFiles;
  const greeting = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: {
      fs: { readTextFile: readsOurs, writeTextFile: readsOurs && write },
      terminal,
      // Without it some agents keep what their own commands print to themselves.
      _meta: { terminal_output: true },
    },
    clientInfo: { name: "holdfast", version: "1" },
  });
  if (greeting.protocolVersion !== PROTOCOL_VERSION) {
    const problem = `it speaks version ${greeting.protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`;
    throw runnerError("agent_protocol", `Cannot talk to the agent: ${problem}`);
  }
  const opened = (await resume(agent, greeting, request)) ?? (await create(agent, greeting, request));
  const model = await chooseModel(agent, opened, request.model);
  await keepAsking(agent, opened, known);
  return { sessionId: opened.sessionId, isResumed: opened.isResumed, model: model ?? "unknown" };
}

interface Opened extends Omit<OpenedSession, "model"> {
  configOptions: readonly SessionConfigOption[];
  modes: SessionModeState | null | undefined;
}

async function keepAsking(agent: ClientContext, opened: Opened, { name, fence }: AgentFacts): Promise<void> {
  const problem = fence && (await enterFence(agent, opened, fence));
  if (problem !== undefined) throw unfenced(name, problem);
}

// An agent that has forgotten the session, or cannot go back to one, gets a new one and is told the conversation.
async function resume(
  agent: ClientContext,
  { agentCapabilities }: InitializeResponse,
  { foreignSessionId, cwd }: RunnerRequest,
): Promise<Opened | undefined> {
  if (foreignSessionId === undefined) return undefined;
  const session: LoadSessionRequest = { sessionId: foreignSessionId, cwd, mcpServers: [] };
  const canResume = agentCapabilities?.sessionCapabilities?.resume;
  if (!canResume && !agentCapabilities?.loadSession) return undefined;
  try {
    const { configOptions, modes } = canResume
      ? await agent.request(methods.agent.session.resume, session)
      : await agent.request(methods.agent.session.load, session);
    return { sessionId: foreignSessionId, isResumed: true, configOptions: configOptions ?? [], modes };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return undefined;
  }
}

async function create(
  agent: ClientContext,
  greeting: InitializeResponse,
  { cwd }: RunnerRequest,
): Promise<Opened> {
  try {
    const { sessionId, configOptions, modes } = await agent.request(methods.agent.session.new, {
      cwd,
      mcpServers: [],
    });
    return { sessionId, isResumed: false, configOptions: configOptions ?? [], modes };
  } catch (error) {
    if (error instanceof RequestError && error.code === AUTH_REQUIRED) throw loginNeeded(greeting, error);
    throw error;
  }
}

const AUTH_REQUIRED = -32000;

function loginNeeded(greeting: InitializeResponse, cause: Error): Error {
  const ways = (greeting.authMethods ?? []).map(({ name, description }) => description ?? name);
  const how = ways.length === 0 ? "" : `; it offers: ${ways.join("; ")}`;
  const message = `Cannot open a session of agent "${agentName(greeting)}": it wants a login${how}`;
  return runnerError("agent_login", message, { cause });
}

async function chooseModel(
  agent: ClientContext,
  { sessionId, configOptions }: Opened,
  wanted: string | undefined,
): Promise<string | undefined> {
  const option = configOptions.find(
    ({ id, category, type }) => type === "select" && (category ?? id) === "model",
  );
  if (option?.type !== "select") {
    if (wanted === undefined) return undefined;
    throw modelNotOffered(wanted, "the agent does not let others choose");
  }
  const offered = option.options.flatMap((entry) => ("value" in entry ? [entry] : entry.options));
  if (wanted === undefined) return modelName(offered.find(({ value }) => value === option.currentValue));
  const choice =
    offered.find(({ value, name }) => value === wanted || name === wanted) ??
    offered.find(({ value }) => value.split("/").at(-1) === wanted);
  if (!choice)
    throw modelNotOffered(wanted, `the agent offers ${offered.map(({ value }) => value).join(", ")}`);
  const { value } = choice;
  await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value });
  return modelName(choice);
}

// Without what stands before it: whose model it is. What says nothing of a model is none.
function modelName(choice: { value: string; name: string } | undefined): string | undefined {
  if (choice === undefined || choice.value === "default") return undefined;
  return /^[\w.:@/-]+$/.test(choice.value) ? choice.value.split("/").at(-1) : choice.name;
}

function modelNotOffered(model: string, why: string): Error {
  return runnerError("agent_failed", `Cannot use model "${model}": ${why}`, { fields: { model } });
}

function agentName({ agentInfo }: InitializeResponse): string {
  return agentInfo?.title ?? agentInfo?.name ?? "acp-agent";
}
