import { agentDepthMax, agentPromptBytesMax } from "../../tasks/kinds/agent/limits.ts";
import { taskDescriptionLengthMax } from "../../format/limits.ts";
import { isSafeName } from "../../format/paths.ts";
import { taskError } from "../../tasks/errors.ts";
import { checkFolder } from "../../tasks/kinds/shell/shell-request.ts";
import type { AgentLimits, PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import type { RunnerChoice } from "./check-runner.ts";

/** An agent to run in the background. */
export interface AgentRequest {
  prompt: string;
  cwd: string;
  /** Who drives it: a runner of Holdfast, or one of yours by the file or package that holds it. */
  runner: RunnerChoice;
  /** general-purpose by default. */
  type?: string | undefined;
  model?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  /** The session that launches it: its transcript becomes a sub-agent's of that session, which is told of the end. */
  sessionId?: string | undefined;
  toolUseId?: string | undefined;
  /** Who answers its questions about tools; `ask` by default. */
  permission?: PermissionPolicy | undefined;
  limits?: AgentLimits | undefined;
  /** The file in which it counts what it uses, together with whoever starts it; one of its own by default. */
  budget?: string | undefined;
  timeoutMs?: number | undefined;
  /** Added to the runtime's environment. Never recorded. */
  env?: Record<string, string> | undefined;
  muted?: boolean | undefined;
  /** Ids that must have ended before it starts. */
  after?: string[] | undefined;
  /** Wait for a free place instead of being refused when too many agents run. */
  queue?: boolean | undefined;
  /** The agent that starts it. */
  parentTaskId?: string | undefined;
}

export const defaultAgentType = "general-purpose";

/** Refuses what could only fail later, in words that say what to change. */
export function checkAgentRequest(request: Omit<AgentRequest, "runner">): void {
  const why = whatIsWrong(request) ?? whatIsWrongWithLimits(request);
  if (why !== undefined) throw taskError("task_refused", `Cannot run agent: ${why}`);
  checkFolder(request.cwd);
}

/** Throws `task_limit` for an agent too far down. */
export function checkDepth(depth: number): void {
  if (depth <= agentDepthMax) return;
  throw taskError(
    "task_limit",
    `Cannot run agent: it would be ${depth} levels deep, the limit is ${agentDepthMax}; do the work in this agent`,
    { fields: { depth, limit: agentDepthMax } },
  );
}

function whatIsWrong(request: Omit<AgentRequest, "runner">): string | undefined {
  const { prompt, description = "", sessionId, type } = request;
  if (prompt.trim() === "") return "the prompt is empty";
  const bytes = Buffer.byteLength(prompt);
  if (bytes > agentPromptBytesMax)
    return `the prompt has ${bytes} bytes, more than ${agentPromptBytesMax}; put it into a file and name the file`;
  if (description.length > taskDescriptionLengthMax)
    return `the description has ${description.length} characters, more than ${taskDescriptionLengthMax}`;
  if (sessionId !== undefined && !isSafeName(sessionId)) return `"${sessionId}" is no session id`;
  if (type !== undefined && !isSafeName(type)) return `"${type}" is no agent type`;
  return undefined;
}

function whatIsWrongWithLimits({
  limits = {},
  timeoutMs = 1,
}: Omit<AgentRequest, "runner">): string | undefined {
  if (!(timeoutMs > 0 && Number.isFinite(timeoutMs))) return `${timeoutMs} ms is no timeout`;
  const { maxTurns = 1, maxTokens = 1, maxCostUsd = 1 } = limits;
  if (!(Number.isSafeInteger(maxTurns) && maxTurns > 0)) return `${maxTurns} is no number of turns`;
  if (!(Number.isSafeInteger(maxTokens) && maxTokens > 0)) return `${maxTokens} is no number of tokens`;
  if (!(maxCostUsd > 0 && Number.isFinite(maxCostUsd))) return `${maxCostUsd} is no cost`;
  return undefined;
}
