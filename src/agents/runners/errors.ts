import { makeError, type ErrorMaker } from "../../lib/errors.ts";

// Codes of agents that are programs of their own; docs/errors.md explains them.
export const runnerErrorCodes = [
  "agent_not_started",
  "agent_failed",
  "agent_protocol",
  "agent_login",
] as const;
export type RunnerErrorCode = (typeof runnerErrorCodes)[number];

export const runnerError: ErrorMaker<RunnerErrorCode> = makeError;
