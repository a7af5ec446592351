import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them.
export const agentErrorCodes = ["no_agent", "agent_unknown", "session_elsewhere"] as const;
export type AgentErrorCode = (typeof agentErrorCodes)[number];

export const agentError: ErrorMaker<AgentErrorCode> = makeError;
