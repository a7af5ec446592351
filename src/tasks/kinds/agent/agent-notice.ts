import { agentTaskSummary } from "../../../format/task-summary.ts";
import type { TaskNotification } from "../../../format/task-notification.ts";
import type { Task } from "../../task.ts";
import type { EndedState } from "../../task-state.ts";
import { answerText, readResult } from "./agent-result.ts";

/** What a notice says of an agent beside what it says of every task. */
export function agentNotice({
  record,
  files,
  state,
}: Task & { state: EndedState }): Pick<TaskNotification, "summary" | "result" | "usage"> {
  const result = readResult(files);
  const answer = result && answerText(result);
  return {
    summary: summaryOf(record.description, state, result?.outcome),
    ...(answer && { result: answer }),
    ...(result && {
      usage: {
        totalTokens: result.totalTokens,
        toolUses: result.totalToolUseCount,
        durationMs: result.totalDurationMs,
      },
    }),
  };
}

function summaryOf(
  description: string,
  state: EndedState,
  outcome: { status: string; error?: string } | undefined,
): string {
  switch (state.status) {
    case "completed":
      return agentTaskSummary(description, { status: "completed" });
    case "stopped":
      return agentTaskSummary(description, { status: "killed" });
    case "lost":
      return agentTaskSummary(description, { status: "failed", reason: `it was lost: ${state.cause}` });
    case "failed":
      return agentTaskSummary(description, { status: "failed", reason: outcome?.error ?? failureOf(state) });
  }
}

function failureOf({ reason, signal, exitCode }: Extract<EndedState, { status: "failed" }>): string {
  if (reason === "timeout") return "it took longer than it may";
  return `its host ended with ${signal ?? `exit code ${exitCode}`} before it could say why`;
}
