import type Anthropic from "@anthropic-ai/sdk";
import { APIError } from "@anthropic-ai/sdk";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { apiRetriesMax } from "./limits.ts";
import type { HoldfastError } from "../../../../lib/errors.ts";
import type { RunnerEvent } from "../../../../tasks/ports.ts";
import { runnerError } from "../../errors.ts";
import { readAnswer, type Answer } from "./read-answer.ts";
import { planRetry, rootMessage } from "./retry-policy.ts";

export interface AskOptions {
  signal: AbortSignal;
  /** Waits before a retry; ends at once, throwing, when the signal comes. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  now: () => Date;
}

/**
 * Asks the model for one message, again when the reason of a failure passes. What had come of a message that broke off is
 * forgotten: only deltas told of it, and the `activity` of the retry says that they are void. Throws `api_refused` or
 * `api_unavailable`, or the signal's reason.
 */
export async function* askModel(
  client: Anthropic,
  params: MessageCreateParamsStreaming,
  { signal, delay, random, now }: AskOptions,
): AsyncGenerator<RunnerEvent, Answer & { requestId?: string }> {
  for (let attempt = 0; ; attempt++) {
    try {
      const { data, request_id: requestId } = await client.messages.create(params, { signal }).withResponse();
      const answer = yield* readAnswer(data);
      return { ...answer, ...(requestId && { requestId }) };
    } catch (error) {
      signal.throwIfAborted();
      const retry = planRetry(error, { attempt, random, now });
      if (!retry) throw inOurWords(error);
      const seconds = (retry.delayMs / 1000).toFixed(1);
      yield {
        kind: "activity",
        text: `Asking again in ${seconds} s (${attempt + 1} of ${apiRetriesMax}): ${retry.reason}`,
      };
      await delay(retry.delayMs, signal);
    }
  }
}

function inOurWords(cause: unknown): HoldfastError {
  if (!(cause instanceof APIError)) {
    const { message } = cause as Error;
    return runnerError("api_unavailable", `Cannot get an answer of the model: ${message}`, {
      retryable: true,
      cause,
    });
  }
  const { status } = cause;
  const words = cause.apiMessage ?? rootMessage(cause);
  const isPassing = status === undefined || status === 429 || status >= 500;
  const advice = status === 401 ? "; check ANTHROPIC_API_KEY" : "";
  return runnerError(
    isPassing ? "api_unavailable" : "api_refused",
    `Cannot ask the model: ${status === undefined ? "" : `${status}, `}${words}${advice}`,
    { retryable: isPassing, cause, fields: { status, requestId: cause.requestID } },
  );
}
