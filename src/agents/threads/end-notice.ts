import type { AgentOutcome } from "../../tasks/kinds/agent/agent-result.ts";

/** What is said of a query that ended otherwise than with an answer; of an interruption the transcript tells. */
export function endNotice(outcome: AgentOutcome): { text: string; isError: boolean } | undefined {
  if (outcome.status !== "failed") return undefined;
  const { reason, error } = outcome;
  return { text: reason === "agent-error" ? error : `The agent ended: ${error}`, isError: true };
}
