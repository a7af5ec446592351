import { tell, waitToRead, type RetrievalStatus, type TaskOutputOptions } from "../../output/task-output.ts";
import type { ContentPart } from "../../ports.ts";
import type { Task } from "../../record/task.ts";
import { isEnded } from "../../record/task-state.ts";
import { noUsage, readProgress, type WholeUsage } from "./agent-progress.ts";
import { readResult } from "./agent-result.ts";

/** An agent's answer and state, as TaskOutput gives them. While it runs, the counts are those so far. */
export interface AgentOutput {
  retrieval_status: RetrievalStatus;
  agentId: string;
  status: string;
  /** The final answer; empty while it runs. */
  content: ContentPart[];
  totalDurationMs: number;
  totalTokens: number;
  totalToolUseCount: number;
  usage: WholeUsage;
  costUsd?: number;
  /** Why it failed. */
  error?: string;
  outputFile: string;
}

/** Waits for the end if asked to. A read that returns the ending to its owner takes the notice. */
export async function readAgentOutput(task: Task, options: TaskOutputOptions): Promise<AgentOutput> {
  const { now, retrieval } = await waitToRead(task, options);
  const output: AgentOutput = { retrieval_status: retrieval, ...outputOf(now, options.clock.now()) };
  if (isEnded(now.state)) tell(now, options);
  return output;
}

function outputOf({ record, files, state }: Task, at: Date): Omit<AgentOutput, "retrieval_status"> {
  const result = readResult(files);
  const progress = readProgress(files);
  const costUsd = result?.costUsd ?? progress?.costUsd;
  const endedAt = isEnded(state) ? Date.parse(state.endedAt) : at.getTime();
  return {
    agentId: record.agent?.agentId ?? record.id,
    status: state.status,
    content: result?.content ?? [],
    totalDurationMs: result?.totalDurationMs ?? Math.max(0, endedAt - Date.parse(record.startedAt)),
    totalTokens: result?.totalTokens ?? progress?.tokens ?? 0,
    totalToolUseCount: result?.totalToolUseCount ?? progress?.toolUses ?? 0,
    usage: result?.usage ?? progress?.usage ?? noUsage,
    ...(costUsd !== undefined && { costUsd }),
    ...(result?.outcome.status === "failed" && { error: result.outcome.error }),
    outputFile: files.output,
  };
}
