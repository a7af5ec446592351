import type { AgentChoice } from "../../../agents/choose-agent.ts";
import type { AgentLimits, RunnerSpec } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { AskedOfAgent } from "../../../agents/agent-start.ts";
import type { Runtime } from "../../../runtime/index.ts";
import type { CommandOption } from "../command.ts";
import { parseDuration } from "../../../lib/parse-duration.ts";
import { parseCount, parseDollars } from "../option-values.ts";

/** Which agent, and which of its models. */
export interface AgentOptions extends AgentChoice {
  model?: string;
}

export const agentNames = [
  "anthropic",
  "claude",
  "codex",
  "gemini",
  "opencode",
  "copilot",
  "qwen",
  "pi",
] as const;

export const agentOptions = [
  {
    flags: "--agent <name>",
    text: "anthropic, claude, codex, gemini, opencode, copilot, qwen or pi",
    kind: "agent",
    conflicts: ["command"],
  },
  { flags: "--command <line>", text: "any agent that speaks ACP, by its command line", kind: "command" },
  {
    flags: "--script <file>",
    text: "play a script instead of asking a model",
    kind: "file",
    conflicts: ["agent", "command"],
  },
  {
    flags: "--runner <file>",
    text: "a runner of your own: a module, by its path or the name of its package",
    kind: "file",
    conflicts: ["agent", "command", "script"],
  },
  { flags: "--model <name>", text: "the model to use" },
] as const;

/** What ends an agent that goes on for too long. */
export interface LimitOptions {
  maxTurns?: number;
  maxTokens?: number;
  maxCost?: number;
  timeout?: number;
}

export const limitOptions: readonly CommandOption[] = [
  { flags: "--max-turns <n>", text: "end it after this many answers of the model", parse: parseCount },
  { flags: "--max-tokens <n>", text: "end it when it has used this many tokens", parse: parseCount },
  { flags: "--max-cost <dollars>", text: "end it when it has cost this much", parse: parseDollars },
  { flags: "--timeout <time>", text: "end it after this time", parse: parseDuration },
];

/** What was asked for, as the settings are put beside it. */
export function askedBy(
  options: AgentOptions & LimitOptions & Pick<AskedOfAgent, "type" | "permission">,
): AskedOfAgent {
  return { ...options, limits: limitsOf(options), timeoutMs: options.timeout };
}

function limitsOf({ maxTurns, maxTokens, maxCost }: LimitOptions): AgentLimits {
  return {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCost !== undefined && { maxCostUsd: maxCost }),
  };
}

/** The agent that was asked for; none when none was, and the one before goes on. */
export async function chooseOther(
  { agents }: Pick<Runtime, "agents">,
  options: AgentOptions,
  { cwd }: { cwd: string },
): Promise<{ runner?: RunnerSpec }> {
  const { agent, command, script, runner } = options;
  const isNamed = [agent, command, script, runner].some((name) => name !== undefined);
  return isNamed ? { runner: await agents.choose(options, { cwd }) } : {};
}
