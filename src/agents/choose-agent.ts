import path from "node:path";
import { agentNames, findAgent, findAgents, isAgentName, programsOf } from "./runners/find-agents.ts";
import type { RunnerSpec } from "../tasks/kinds/agent/agent-settings.ts";
import { agentError } from "./errors.ts";

/** Which agent is asked for; none of these is: whichever there is. */
export interface AgentChoice {
  /** `anthropic`, or an agent that is known by name. */
  agent?: string;
  /** Any agent that speaks ACP on its standard streams. */
  command?: string;
  /** A script to play instead of asking a model. */
  script?: string;
}

/** Where it is chosen. */
export interface AgentSurroundings {
  cwd: string;
  variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Who is to drive the agent: the one that was asked for, else the API when there is a key, else the first agent on the
 * PATH. Throws `no_agent` when there is none of these, `agent_unknown` for a name that is none.
 */
export function chooseAgent(
  { agent, command, script }: AgentChoice,
  { cwd, variables }: AgentSurroundings,
): RunnerSpec {
  if (script !== undefined) return { name: "scripted", script: path.resolve(cwd, script) };
  if (command !== undefined) return { name: "acp", command };
  const hasKey = Boolean(variables["ANTHROPIC_API_KEY"] || variables["ANTHROPIC_AUTH_TOKEN"]);
  if (agent === "anthropic") {
    if (hasKey) return anthropic(variables);
    throw agentError("no_agent", 'Cannot use agent "anthropic": ANTHROPIC_API_KEY is not set');
  }
  if (agent !== undefined) return named(agent, variables["PATH"]);
  if (hasKey) return anthropic(variables);
  const [first] = findAgents({ path: variables["PATH"] });
  if (first) return { name: first.start.runner, agent: first.name };
  throw agentError(
    "no_agent",
    `Cannot choose an agent: set ANTHROPIC_API_KEY, or put one of ${agentNames.join(", ")} on your PATH, or name any ACP agent with --command`,
  );
}

/** The agent that was asked for; none when none was, and the one before goes on. */
export function chooseOther(options: AgentChoice, environment: AgentSurroundings): { runner?: RunnerSpec } {
  const isNamed = [options.agent, options.command, options.script].some((name) => name !== undefined);
  return isNamed ? { runner: chooseAgent(options, environment) } : {};
}

function anthropic(variables: AgentSurroundings["variables"]): RunnerSpec {
  const baseUrl = variables["ANTHROPIC_BASE_URL"];
  return { name: "anthropic", ...(baseUrl && { baseUrl }) };
}

function named(agent: string, searchPath: string | undefined): RunnerSpec {
  if (!isAgentName(agent)) {
    throw agentError(
      "agent_unknown",
      `Cannot use agent "${agent}": the known ones are anthropic, ${agentNames.join(", ")}; start another with --command`,
    );
  }
  const found = findAgent(agent, { path: searchPath });
  if (found) return { name: found.start.runner, agent };
  throw agentError(
    "no_agent",
    `Cannot find agent "${agent}": none of ${programsOf(agent).join(", ")} is on your PATH`,
  );
}
