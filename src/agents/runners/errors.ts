import { makeError, type ErrorMaker } from "../../lib/errors.ts";

// Codes of what drives an agent; docs/errors.md explains them.
export const runnerErrorCodes = [
  "agent_not_started",
  "agent_failed",
  "agent_protocol",
  "agent_login",
  "agent_unfenced",
  "runner_invalid",
  "no_agent",
  "api_key_missing",
  "api_refused",
  "api_unavailable",
  "run_interrupted",
] as const;
export type RunnerErrorCode = (typeof runnerErrorCodes)[number];

export const runnerError: ErrorMaker<RunnerErrorCode> = makeError;
