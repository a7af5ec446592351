import type { ClaimedRun } from "./handle-run.ts";
import type { RunEnding } from "../transport/log-event.ts";
import type { AgentResult } from "../../tasks/kinds/agent/agent-result.ts";
import type { StopOrder } from "./run-controls.ts";
import type { RunProgressLog } from "./run-progress.ts";

/** How a run ended, in the words of the log; undefined when it is to be given back. */
export function endingOf(
  { outcome, content, totalDurationMs, totalTokens, totalToolUseCount, usage, costUsd }: AgentResult,
  {
    order,
    isTimeout,
    before,
  }: { order: StopOrder | undefined; isTimeout: boolean; before: RunProgressLog["before"] },
): RunEnding | undefined {
  const result = {
    content,
    totalDurationMs,
    totalTokens: totalTokens + before.tokens,
    totalToolUseCount: totalToolUseCount + before.toolUses,
    usage: { ...usage },
    ...(costUsd !== undefined && { costUsd }),
  };
  switch (outcome.status) {
    case "completed":
      return { status: "completed", result };
    case "failed":
      return { status: "failed", reason: outcome.error, result };
    case "interrupted":
      if (order) return { status: "stopped", ...order };
      return isTimeout ? { status: "failed", reason: "it took too long", result } : undefined;
  }
}

/** Of a run whose answer was in the log already. */
export function answeredEnding(content: readonly unknown[]): RunEnding {
  const totals = { totalDurationMs: 0, totalTokens: 0, totalToolUseCount: 0, usage: {} };
  return { status: "completed", result: { ...totals, content } };
}

/** Aborted when the run's time is over, counted from its first claim, whoever had it. Undefined when it may take any. */
export function timeoutOf({ request, events }: ClaimedRun): AbortSignal | undefined {
  if (request.timeoutMs === undefined) return undefined;
  const first = events.find(({ event }) => event.kind === "claimed" && event.run === request.run);
  const sinceMs = first ? Date.now() - Date.parse(first.at) : 0;
  return AbortSignal.timeout(Math.min(Math.max(0, request.timeoutMs - sinceMs), TIMER_MS_MAX));
}

/** What a timer can hold. */
const TIMER_MS_MAX = 2 ** 31 - 1;
