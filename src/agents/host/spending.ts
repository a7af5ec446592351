import { tokensOf } from "../../format/message-tokens.ts";
import type { AgentProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { AgentOutcome } from "../../tasks/kinds/agent/agent-result.ts";
import type { AgentLimits } from "../../tasks/kinds/agent/agent-settings.ts";
import type { ModelRequest } from "../../tasks/ports.ts";
import { Budget, ledgerInMemory, type Ledger, type Spent } from "./budget.ts";
import type { MessagePrice, ProgressCounter } from "./progress-counter.ts";

export interface SpendingOptions {
  agentId: string;
  limits: AgentLimits;
  counter: ProgressCounter;
  ledger?: Ledger | undefined;
  onTaken?: ((used: Spent) => Promise<void>) | undefined;
}

/**
 * What one agent uses of its limits. A runner that asks before each request is counted by request, not by the id of what is
 * answered: a server may send the same id forever. Of any other, what it tells counts as soon as it does.
 */
export class Spending {
  /** Needed when the cost is limited. */
  price: MessagePrice | undefined;
  /** Why the agent must not ask its model again. */
  refusal: AgentOutcome | undefined;
  readonly #options: SpendingOptions;
  readonly #budget: Budget;
  readonly #isLimited: boolean;
  /** The request under way, of a runner that asks before it makes one. */
  #request: { key: string; model: string; turns: number } | undefined;
  #requests = 0;

  constructor(options: SpendingOptions) {
    this.#options = options;
    this.#budget = new Budget(options.limits, options.ledger ?? ledgerInMemory());
    this.#isLimited = Object.keys(options.limits).length > 0;
  }

  /** Takes a request from the budget. Throws when there is nothing left for it; `refusal` then says what. */
  async takeRequest(asked: ModelRequest): Promise<{ answerTokensMax: number }> {
    this.settle();
    const { agentId, limits, counter, onTaken } = this.#options;
    const { maxTokens, maxCostUsd } = limits;
    const priceOf = maxCostUsd === undefined ? undefined : this.#priceOf(asked.model, maxCostUsd);
    const key = `${agentId}-${++this.#requests}`;
    const turns = asked.isRetry ? 0 : 1;
    const inputTokens = maxTokens === undefined && maxCostUsd === undefined ? 0 : asked.inputTokens();
    const { answerTokensMax } = asked;
    const wanted = { request: key, turns, inputTokens, answerTokensMax, ...(priceOf && { priceOf }) };
    const taken = this.#isLimited ? this.#budget.take(wanted) : { answerTokensMax };
    if ("status" in taken) throw this.#refuse(taken);
    this.#request = { key, model: asked.model, turns };
    counter.beginRequest({ isTurn: turns > 0 });
    if (this.#isLimited) await onTaken?.(this.#budget.used());
    return taken;
  }

  /** That the request under way is over: what it has used counts, instead of what it had set aside. */
  settle(): void {
    if (!this.#request || !this.#isLimited) return;
    const { key, model, turns } = this.#request;
    this.#request = undefined;
    const { tokens, total } = this.#options.counter.requestTokens();
    this.#budget.settle(key, { turns, tokens: total, costUsd: this.price?.(model, tokens) ?? 0 });
  }

  /** The same of a runner that asks nobody. */
  settleTold(progress: () => AgentProgress): void {
    if (!this.#isLimited || this.#requests > 0) return;
    const { tokens, costUsd } = progress();
    const { agentId, limits, counter } = this.#options;
    if (limits.maxCostUsd !== undefined && costUsd === undefined)
      this.#refuse(priceUnknown(counter.lastModel, limits.maxCostUsd));
    this.#budget.settle(agentId, { turns: counter.requests, tokens, costUsd: costUsd ?? 0 });
  }

  /**
   * Which limit such a runner has reached, where it would begin another turn: a tool use is never left without its result,
   * and an answer that is given is never thrown away. One that goes on by itself is ended by its next turn.
   */
  reachedLimit({ isBetweenTurns }: { isBetweenTurns: boolean }): AgentOutcome | undefined {
    const isAsking = this.#requests > 0;
    if (!this.#isLimited || isAsking || this.#options.counter.openToolUses > 0) return undefined;
    if (this.refusal) return this.refusal;
    const used = this.#budget.used();
    if (isBetweenTurns) return this.#budget.reached(used);
    return this.#budget.reached({ turns: used.turns - 1, tokens: 0, costUsd: 0 });
  }

  #refuse(outcome: AgentOutcome): Error {
    this.refusal ??= outcome;
    return new Error("error" in outcome ? outcome.error : outcome.status);
  }

  #priceOf(model: string, maxCostUsd: number): (tokens: { input: number; output: number }) => number {
    const price = (input: number, output: number): number | undefined =>
      this.price?.(model, { ...tokensOf({}), inputTokens: input, outputTokens: output });
    if (price(1, 1) === undefined) throw this.#refuse(priceUnknown(model, maxCostUsd));
    return ({ input, output }) => price(input, output) ?? Infinity;
  }
}

function priceUnknown(model: string, maxCostUsd: number): AgentOutcome {
  const error = `the price of model "${model}" is not known, so the limit of $${maxCostUsd} cannot be kept; use another model, or limit turns or tokens`;
  return { status: "failed", reason: "cost", error };
}
