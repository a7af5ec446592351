import type { SessionRef } from "../store/list/find-session.ts";
import type { AgentOutput } from "../tasks/kinds/agent/agent-output.ts";

/** An agent that a client ran: no task of ours, but known to a transcript. */
export interface ClientAgent {
  agentId: string;
  /** Where its conversation is, or where it was launched when that is gone. Its session may have no transcript any more. */
  session: SessionRef;
  hasConversation: boolean;
  agentType: string | null;
  description: string | null;
  prompt: string;
  cwd: string | null;
  startedAt: string | null;
  /** When it last said something. */
  updatedAt: string | null;
  /** As TaskOutput gives that of an agent of ours. */
  output: AgentOutput;
}
