import fs from "node:fs";
import path from "node:path";
import { agentNames, findAgent, findAgents, isAgentName, programsOf } from "./runners/find-agents.ts";
import type { RunnerSpec } from "../tasks/kinds/agent/agent-settings.ts";
import { runnerError } from "./runners/errors.ts";

/** Who a person wants to drive an agent; nothing when it does not matter. */
export interface AgentChoice {
  /** `anthropic`, or an agent that is known by name. */
  agent?: string;
  /** Any agent that speaks ACP on its standard streams. */
  command?: string;
  /** A script to play instead of asking a model. */
  script?: string;
  /** A module that holds a runner. */
  runner?: string;
}

/** Where the choice is made. */
export interface ChoicePlace {
  cwd: string;
  variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Who is to drive the agent: the one that was asked for, else the API when there is a key, else the first agent on the
 * PATH. Throws `no_agent` when there is none of these.
 */
export function chooseAgent(
  { agent, command, script, runner }: AgentChoice,
  { cwd, variables }: ChoicePlace,
): RunnerSpec {
  if (script !== undefined) return { name: "scripted", script: path.resolve(cwd, script) };
  if (runner !== undefined) return { name: "module", module: moduleAt(runner, cwd) };
  if (command !== undefined) return { name: "acp", command };
  const hasKey = Boolean(variables["ANTHROPIC_API_KEY"] || variables["ANTHROPIC_AUTH_TOKEN"]);
  if (agent === "anthropic") {
    if (hasKey) return anthropic(variables);
    throw runnerError("no_agent", 'Cannot use agent "anthropic": ANTHROPIC_API_KEY is not set');
  }
  if (agent !== undefined) return named(agent, variables["PATH"]);
  if (hasKey) return anthropic(variables);
  const [first] = findAgents({ path: variables["PATH"] });
  if (first) return { name: first.start.runner, agent: first.name };
  throw runnerError(
    "no_agent",
    `Cannot choose an agent: set ANTHROPIC_API_KEY, or put one of ${agentNames.join(", ")} on your PATH, or name any ACP agent with --command`,
  );
}

// Said from the folder, it stays so: another machine has the folder elsewhere.
function moduleAt(runner: string, cwd: string): string {
  if (runner.startsWith(".")) return runner;
  const file = path.resolve(cwd, runner);
  return fs.existsSync(file) ? file : runner;
}

function anthropic(variables: ChoicePlace["variables"]): RunnerSpec {
  const baseUrl = variables["ANTHROPIC_BASE_URL"];
  return { name: "anthropic", ...(baseUrl && { baseUrl }) };
}

function named(agent: string, searchPath: string | undefined): RunnerSpec {
  if (!isAgentName(agent)) {
    throw runnerError(
      "runner_invalid",
      `Cannot use agent "${agent}": the known agents are anthropic, ${agentNames.join(", ")}; start another with --command`,
    );
  }
  const found = findAgent(agent, { path: searchPath });
  if (found) return { name: found.start.runner, agent };
  throw runnerError(
    "no_agent",
    `Cannot find agent "${agent}": none of ${programsOf(agent).join(", ")} is on your PATH`,
  );
}
