import { taskSummary } from "../../../format/task-summary.ts";
import type { TaskNotification } from "../../../format/task-notification.ts";
import { readTail } from "../../output/read-output.ts";
import type { TaskFiles } from "../../record/task-files.ts";
import type { Task } from "../../record/task.ts";
import type { EndedState } from "../../record/task-state.ts";
import { answerText, readResult, type AgentOutcome } from "./agent-result.ts";

/** What a notice says of an agent beside what it says of every task. */
export function agentNotice({
  record,
  files,
  state,
}: Task & { state: EndedState }): Pick<TaskNotification, "summary" | "result" | "usage"> {
  const result = readResult(files);
  const answer = result && answerText(result);
  return {
    summary: taskSummary(record.agent?.type === "main-session" ? "Background session" : "Agent", {
      description: record.description,
      how: howItEnded(state, files, result?.outcome),
    }),
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

function howItEnded(state: EndedState, files: TaskFiles, outcome: AgentOutcome | undefined): string {
  switch (state.status) {
    case "completed":
      return "completed";
    case "stopped":
      return "was stopped";
    case "lost":
      return `failed: it was lost: ${state.cause}`;
    case "failed":
      return `failed: ${outcome?.status === "failed" ? outcome.error : failureOf(state, files)}`;
  }
}

function failureOf(
  { reason, signal, exitCode }: Extract<EndedState, { status: "failed" }>,
  { stderr }: TaskFiles,
): string {
  if (reason === "timeout") return "it took longer than it may";
  const { text } = readTail(stderr, { bytesMax: STDERR_BYTES });
  const error = text.split("\n").findLast((line) => /^\w*Error\b/.test(line));
  const how = `its host ended with ${signal ?? `exit code ${exitCode}`}`;
  return error === undefined ? `${how} before it could say why` : `${how}: ${error}`;
}

/** Of what a host that crashed has printed: its error and where it came from. */
const STDERR_BYTES = 8000;
