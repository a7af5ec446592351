import type { Clock } from "../../../lib/clock.ts";
import type { Runner } from "../../../tasks/ports.ts";
import type { AskOptions } from "./api/ask-model.ts";
import type { ApiAccess } from "./api/open-client.ts";

export interface AnthropicRunnerOptions extends ApiAccess {
  /** For agents whose request names none. Default: ANTHROPIC_MODEL of the request's environment. */
  model?: string | undefined;
  clock?: Clock | undefined;
  /** Waits before a retry. */
  delay?: AskOptions["delay"] | undefined;
  /** Spreads retries. */
  random?: (() => number) | undefined;
}

/**
 * An agent on the Messages API, with tools of its own. A message is told when it is whole, one event a block, all with its
 * final usage; then its tools run, and each use gets exactly one result, whatever happens.
 */
export function anthropicRunner(options: AnthropicRunnerOptions = {}): Runner {
  return async function* run(request, signal) {
    // Loaded by the first run: the SDK and the schemas of the tools cost whoever only names this runner for nothing.
    const { runAnthropicAgent } = await import("./anthropic-agent.ts");
    return yield* runAnthropicAgent(options, request, signal);
  };
}
