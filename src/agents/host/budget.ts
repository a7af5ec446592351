import type { AgentLimits } from "../../tasks/kinds/agent/agent-settings.ts";
import type { AgentOutcome } from "../../tasks/kinds/agent/agent-result.ts";

/** What requests have used, or may use while they are under way. */
export interface Spent {
  turns: number;
  tokens: number;
  costUsd: number;
}

/** Where a tree of agents writes down what it uses, request by request. The last line of a request holds. */
export interface Ledger {
  append(line: LedgerLine): void;
  read(): LedgerLine[];
}

export type LedgerLine = Spent & { request: string };

/** What a request needs, and what it may take for its answer beyond that. */
export interface Wanted {
  request: string;
  turns: number;
  inputTokens: number;
  answerTokensMax: number;
  /** Dollars of so many tokens in and out; absent when there is no limit of cost. */
  priceOf?: (tokens: { input: number; output: number }) => number;
}

/** Answers shorter than this are of no use, so nothing is asked for them. */
const ANSWER_TOKENS_MIN = 256;
/** Another process comes in between each time, and each time it has taken its half: this many there are not. */
const TRIES_MAX = 100;

/**
 * What an agent and all that it starts may use together. A request sets aside what it may use before it is made, and gives
 * back the rest afterwards: so all of them together never go over the limit, whatever process they are in. What an agent
 * had set aside when it was killed stays so, because it may have been billed.
 */
export class Budget {
  readonly #limits: AgentLimits;
  readonly #ledger: Ledger;

  constructor(limits: AgentLimits, ledger: Ledger) {
    this.#limits = limits;
    this.#ledger = ledger;
  }

  /** What all of them have used and set aside. */
  used(): Spent {
    return sumOf(this.#ledger.read());
  }

  /** That a request has used so much; instead of what it had set aside. */
  settle(request: string, spent: Spent): void {
    this.#ledger.append({ request, ...spent });
  }

  /** Sets aside what a request may use. How many tokens its answer may have, or why it must not be made. */
  take(wanted: Wanted): { answerTokensMax: number } | AgentOutcome {
    const { request, turns, inputTokens, priceOf } = wanted;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const before = this.used();
      const answerTokensMax = this.#answerTokens(before, wanted);
      const tooMuch = turns > 0 ? this.reached(before) : undefined;
      if (tooMuch) return tooMuch;
      if (answerTokensMax < ANSWER_TOKENS_MIN) return this.#spentOut(before);
      const tokens = this.#limits.maxTokens === undefined ? 0 : inputTokens + answerTokensMax;
      const costUsd = priceOf?.({ input: inputTokens, output: answerTokensMax }) ?? 0;
      this.#ledger.append({ request, turns, tokens, costUsd });
      // Whoever wrote first comes first; the later one gives back and looks again.
      if (!this.#isOver(sumOf(upTo(request, this.#ledger.read())))) return { answerTokensMax };
      this.settle(request, nothing);
    }
    return this.#spentOut(this.used());
  }

  /** Which limit is reached, once so much is used. */
  reached({ turns, tokens, costUsd }: Spent): AgentOutcome | undefined {
    const { maxTurns = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = this.#limits;
    if (turns >= maxTurns) return failed("turns", `it took ${maxTurns} turns, as many as it may`);
    if (tokens >= maxTokens)
      return failed("tokens", `it used ${tokens} tokens, more than the ${maxTokens} that it may`);
    if (costUsd >= maxCostUsd)
      return failed("cost", `it cost $${costUsd.toFixed(4)}, more than the $${maxCostUsd} that it may`);
    return undefined;
  }

  // Half of what is left at most, so that agents that work side by side all get something.
  #answerTokens({ tokens, costUsd }: Spent, { inputTokens, answerTokensMax, priceOf }: Wanted): number {
    const { maxTokens = Infinity, maxCostUsd = Infinity } = this.#limits;
    const byTokens = (maxTokens - tokens - inputTokens) / 2;
    if (!priceOf) return Math.floor(Math.min(answerTokensMax, byTokens));
    const dollarsLeft = maxCostUsd - costUsd - priceOf({ input: inputTokens, output: 0 });
    const dollarsOf =
      priceOf({ input: inputTokens, output: answerTokensMax }) - priceOf({ input: inputTokens, output: 0 });
    const byCost = dollarsOf > 0 ? (answerTokensMax * dollarsLeft) / 2 / dollarsOf : answerTokensMax;
    return Math.floor(Math.min(answerTokensMax, byTokens, dollarsLeft > 0 ? byCost : 0));
  }

  #isOver({ turns, tokens, costUsd }: Spent): boolean {
    const { maxTurns = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = this.#limits;
    return turns > maxTurns || tokens > maxTokens || costUsd > maxCostUsd;
  }

  #spentOut({ tokens, costUsd }: Spent): AgentOutcome {
    const { maxTokens, maxCostUsd } = this.#limits;
    if (maxCostUsd === undefined)
      return failed(
        "tokens",
        `${tokens} of the ${maxTokens} tokens that it may use are used or set aside, too many for another request`,
      );
    return failed(
      "cost",
      `$${costUsd.toFixed(4)} of the $${maxCostUsd} that it may cost are used or set aside, too much for another request`,
    );
  }
}

const nothing: Spent = { turns: 0, tokens: 0, costUsd: 0 };

const failed = (reason: "turns" | "tokens" | "cost", error: string): AgentOutcome => ({
  status: "failed",
  reason,
  error,
});

/** What stands in a ledger, all together. */
export function sumOf(lines: readonly LedgerLine[]): Spent {
  const newest = new Map(lines.map((line) => [line.request, line]));
  const sum = { ...nothing };
  for (const { turns, tokens, costUsd } of newest.values()) {
    sum.turns += turns;
    sum.tokens += tokens;
    sum.costUsd += costUsd;
  }
  return sum;
}

// What was written up to the last line of a request.
function upTo(request: string, lines: LedgerLine[]): LedgerLine[] {
  return lines.slice(0, lines.findLastIndex((line) => line.request === request) + 1);
}

/** The ledger of an agent that starts no other process. */
export function ledgerInMemory(): Ledger {
  const lines: LedgerLine[] = [];
  return { append: (line) => void lines.push(line), read: () => lines };
}
