import type Anthropic from "@anthropic-ai/sdk";
import { APIError } from "@anthropic-ai/sdk";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { apiRetriesMax } from "./limits.ts";
import type { HoldfastError } from "../../../../lib/errors.ts";
import type { AgentUsage, RunnerEvent, RunnerRequest } from "../../../../tasks/ports.ts";
import { runnerError } from "../../errors.ts";
import { readAnswer, type Answer } from "./read-answer.ts";
import { reckonTokens } from "./reckon-tokens.ts";
import { planRetry, rootMessage } from "./retry-policy.ts";

export interface AskOptions {
  signal: AbortSignal;
  /** Waits before a retry; ends at once, throwing, when the signal comes. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
  random: () => number;
  now: () => Date;
  /** Takes a request from the budget before it is made. */
  takeRequest: RunnerRequest["takeRequest"];
}

/**
 * Asks the model for one message, again when the reason of a failure passes. What had come of a message that broke off is
 * forgotten: only deltas told of it, and the `activity` of the retry says that they are void. Throws `api_refused` or
 * `api_unavailable`, or the signal's reason.
 */
export async function* askModel(
  client: Anthropic,
  params: MessageCreateParamsStreaming,
  { signal, delay, random, now, takeRequest }: AskOptions,
): AsyncGenerator<RunnerEvent, Answer & { requestId?: string; tokensMax: number }> {
  const { model, max_tokens: wanted } = params;
  const inputTokens = (): number => reckonTokens(params);
  for (let attempt = 0; ; attempt++) {
    const asked = { model, isRetry: attempt > 0, inputTokens, answerTokensMax: wanted };
    const { answerTokensMax: tokensMax } = (await takeRequest?.(asked)) ?? asked;
    let spent: AgentUsage | undefined;
    try {
      const { data, request_id: requestId } = await client.messages
        .create({ ...params, max_tokens: tokensMax }, { signal })
        .withResponse();
      const answer = yield* readAnswer(data, (usage) => void (spent = usage));
      return { ...answer, tokensMax, ...(requestId && { requestId }) };
    } catch (error) {
      signal.throwIfAborted();
      if (spent) yield { kind: "spent", model, usage: spent };
      const retry = planRetry(error, { attempt, random, now });
      if (!retry) throw inOurWords(error);
      const seconds = (retry.delayMs / 1000).toFixed(1);
      yield {
        kind: "activity",
        text: `Repeating the request in ${seconds} s (${attempt + 1} of ${apiRetriesMax}): ${retry.reason}`,
      };
      await delay(retry.delayMs, signal);
    }
  }
}

function inOurWords(cause: unknown): HoldfastError {
  if (!(cause instanceof APIError)) {
    const { message } = cause as Error;
    return runnerError("api_unavailable", `Cannot get an answer from the model: ${message}`, {
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
