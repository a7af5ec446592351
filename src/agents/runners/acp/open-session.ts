import {
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type ClientContext,
  type InitializeResponse,
  type LoadSessionRequest,
  type SessionConfigOption,
} from "@agentclientprotocol/sdk";
import type { RunnerRequest } from "../../../tasks/ports.ts";
import { runnerError } from "../errors.ts";
import { allowedServices } from "./permission.ts";

export interface OpenedSession {
  sessionId: string;
  /** Whether the agent remembers what was said before. */
  isResumed: boolean;
  /** The model that answers, as far as the agent tells. */
  model: string;
}

/** Greets the agent and opens its session: the earlier one when it still has it, else a new one. */
export async function openSession(agent: ClientContext, request: RunnerRequest): Promise<OpenedSession> {
  const { write, terminal } = allowedServices(request.tools);
  const greeting = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: write }, terminal },
    clientInfo: { name: "holdfast", version: "1" },
  });
  if (greeting.protocolVersion !== PROTOCOL_VERSION) {
    const problem = `it speaks version ${greeting.protocolVersion} of the protocol, not ${PROTOCOL_VERSION}`;
    throw runnerError("agent_protocol", `Cannot talk to the agent: ${problem}`);
  }
  const opened = (await resume(agent, greeting, request)) ?? (await create(agent, greeting, request));
  const model = await chooseModel(agent, opened, request.model);
  return { sessionId: opened.sessionId, isResumed: opened.isResumed, model: model ?? agentName(greeting) };
}

interface Opened extends Omit<OpenedSession, "model"> {
  configOptions: readonly SessionConfigOption[];
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
    const { configOptions } = canResume
      ? await agent.request(methods.agent.session.resume, session)
      : await agent.request(methods.agent.session.load, session);
    return { sessionId: foreignSessionId, isResumed: true, configOptions: configOptions ?? [] };
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
    const { sessionId, configOptions } = await agent.request(methods.agent.session.new, {
      cwd,
      mcpServers: [],
    });
    return { sessionId, isResumed: false, configOptions: configOptions ?? [] };
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
  if (wanted === undefined) return option.currentValue;
  const offered = option.options.flatMap((entry) => ("value" in entry ? [entry] : entry.options));
  const choice =
    offered.find(({ value, name }) => value === wanted || name === wanted) ??
    offered.find(({ value }) => value.split("/").at(-1) === wanted);
  if (!choice)
    throw modelNotOffered(wanted, `the agent offers ${offered.map(({ value }) => value).join(", ")}`);
  const { value } = choice;
  await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: option.id, value });
  return value;
}

function modelNotOffered(model: string, why: string): Error {
  return runnerError("agent_failed", `Cannot use model "${model}": ${why}`, { fields: { model } });
}

function agentName({ agentInfo }: InitializeResponse): string {
  return agentInfo?.title ?? agentInfo?.name ?? "acp-agent";
}
