import { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { apiRetriesMax, apiRetryAfterMsMax, apiRetryDelayMs, apiRetryDelayMsMax } from "./limits.ts";
import { BrokenAnswer } from "./read-answer.ts";

export interface Retry {
  delayMs: number;
  /** What happened, in words for who watches. */
  reason: string;
}

/**
 * How long to wait before the request is made again, or undefined when it is not: the reason does not pass, the limit is
 * reached, or the server asks for more patience than is reasonable. `attempt` counts the failures before this one.
 */
export function planRetry(
  error: unknown,
  { attempt, random, now }: { attempt: number; random: () => number; now: () => Date },
): Retry | undefined {
  const reason = passingReason(error);
  if (reason === undefined || attempt >= apiRetriesMax) return undefined;
  const asked = askedDelayMs(error, now());
  if (asked !== undefined && asked > apiRetryAfterMsMax) return undefined;
  const doubled = Math.min(apiRetryDelayMs * 2 ** attempt, apiRetryDelayMsMax);
  // Between a half and the whole, so that many agents refused together do not come back together; never before asked.
  const delayMs = Math.round(Math.max(doubled * (0.5 + random() / 2), asked ?? 0));
  return { delayMs, reason };
}

// Undefined for what would fail again: a wrong key, a request that is too large, a defect of ours.
function passingReason(error: unknown): string | undefined {
  if (error instanceof APIConnectionError) return `no connection (${rootMessage(error)})`;
  if (error instanceof BrokenAnswer) return `the answer broke off (${error.message})`;
  if (!(error instanceof APIError)) return undefined;
  const told = error.headers?.get("x-should-retry");
  if (told === "false") return undefined;
  // An error inside the stream has a type and no status.
  if (error.status === 529 || error.type === "overloaded_error") return "the API is overloaded";
  if (error.status === 429 || error.type === "rate_limit_error") return "the rate limit is reached";
  if (error.type === "api_error" || error.status === undefined || error.status >= 500)
    return `the API failed (${error.status ?? error.type ?? "in the stream"})`;
  if (error.status === 408 || error.status === 409 || told === "true") return `the API said ${error.status}`;
  return undefined;
}

function askedDelayMs(error: unknown, now: Date): number | undefined {
  const headers = error instanceof APIError ? error.headers : undefined;
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  if (ms >= 0) return ms;
  const after = headers?.get("retry-after") ?? "";
  const seconds = Number.parseFloat(after);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

/** What the system said at the bottom of it all: `connect ECONNREFUSED …` tells more than `Connection error`. */
export function rootMessage(error: Error): string {
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}
