import type { ClientAgent } from "../../agents/client-agent.ts";

/** An agent that a client ran, as it leaves the process: what is not known is null. */
export interface ClientAgentView {
  id: string;
  kind: "client_agent";
  agentType: string | null;
  description: string | null;
  prompt: string;
  cwd: string | null;
  sessionId: string;
  status: string;
  startedAt: string | null;
  updatedAt: string | null;
  totalDurationMs: number;
  totalTokens: number;
  totalToolUseCount: number;
  /** The transcript of the agent; null when it is gone, and only its result is known. */
  transcript: string | null;
}

export function clientAgentView({ agentId, session, output, ...agent }: ClientAgent): ClientAgentView {
  const { status, totalDurationMs, totalTokens, totalToolUseCount } = output;
  const { agentType, description, prompt, cwd, startedAt, updatedAt, hasConversation } = agent;
  return {
    id: agentId,
    kind: "client_agent",
    agentType,
    description,
    prompt,
    cwd,
    sessionId: session.sessionId,
    status,
    startedAt,
    updatedAt,
    totalDurationMs,
    totalTokens,
    totalToolUseCount,
    transcript: hasConversation ? session.path : null,
  };
}
