import { sumOf, type Ledger, type Spent } from "../../agents/host/budget.ts";
import { runSpendingMs } from "./limits.ts";
import type { ClaimedRun } from "./handle-run.ts";

/**
 * What a run uses of its limits, in the log: whoever takes it after this worker goes on counting. The agent's own requests
 * are there before they are made; those of its sub-agents, which are other processes of this worker, soon after.
 */
export class RunSpending {
  readonly ledger: Ledger;
  readonly #run: ClaimedRun;
  readonly #timer: NodeJS.Timeout;
  #told: Spent;

  constructor(run: ClaimedRun, ledger: Ledger) {
    this.#run = run;
    this.ledger = ledger;
    this.#told = spentBefore(run);
    ledger.append({ request: "earlier workers", ...this.#told });
    // Who cannot tell it is fenced or without servers; the transcript says both.
    this.#timer = setInterval(() => void this.tell().catch(() => {}), runSpendingMs);
  }

  /** Resolves when the log has what was used up to now. */
  async tell(): Promise<void> {
    const { turns, tokens, costUsd } = sumOf(this.ledger.read());
    const told = this.#told;
    if (turns === told.turns && tokens === told.tokens && costUsd === told.costUsd) return;
    this.#told = { turns, tokens, costUsd };
    await this.#run.append({ kind: "spent", turns, tokens, costUsd });
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

// A finished run was another errand, with a budget of its own.
function spentBefore({ events }: ClaimedRun): Spent {
  const lastEnd = events.findLastIndex(({ event }) => event.kind === "finished");
  const last = events.slice(lastEnd + 1).findLast(({ event }) => event.kind === "spent")?.event;
  const { turns, tokens, costUsd } = last?.kind === "spent" ? last : { turns: 0, tokens: 0, costUsd: 0 };
  return { turns, tokens, costUsd };
}
