import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject } from "../../../format/json-object.ts";
import { numberAt } from "../json-fields.ts";
import { usageOf, type ModelCall } from "../known/index.ts";
import { ownSessionMs } from "./limits.ts";

/**
 * The requests of an agent to its model, from where it tells of each: its own session, or its messages. Only of an agent
 * that tells of none the sum that the answer to a prompt has of the turn.
 */
export class TurnUsage {
  readonly #readCalls: () => ModelCall[];
  #waiting: ModelCall[] = [];
  #isTold = false;

  constructor(readCalls: () => ModelCall[]) {
    this.#readCalls = readCalls;
    // What an earlier run has used was counted there.
    readCalls();
  }

  /** Hears what a message says of the request that it answers. */
  hear(told: unknown): void {
    if (isJsonObject(told)) this.#add({ model: undefined, usage: countsIn(told) });
  }

  /** The requests that were told of since this was asked last. */
  take(): ModelCall[] {
    for (const call of this.#readCalls()) this.#add(call);
    return this.#waiting.splice(0);
  }

  async hearTurn(totals: unknown): Promise<void> {
    const until = Date.now() + ownSessionMs;
    // The last request of a turn is written about when the turn is answered.
    for (let calls = this.#readCalls(); ; calls = this.#readCalls()) {
      for (const call of calls) this.#add(call);
      if (this.#waiting.length > 0 || Date.now() >= until || this.#readCalls === noCalls) break;
      await delay(20);
    }
    if (!this.#isTold) this.hear(totals);
    this.#isTold = false;
  }

  #add(call: ModelCall): void {
    this.#waiting.push(call);
    this.#isTold = true;
  }
}

/** Of an agent whose own session nobody reads. */
export const noCalls = (): ModelCall[] => [];

function countsIn(told: Record<string, unknown>): ModelCall["usage"] {
  return usageOf({
    input: numberAt(told, "inputTokens") ?? 0,
    output: numberAt(told, "outputTokens") ?? 0,
    cacheRead: numberAt(told, "cachedReadTokens"),
    cacheWrite: numberAt(told, "cachedWriteTokens"),
    thoughts: numberAt(told, "thoughtTokens"),
    total: numberAt(told, "totalTokens"),
  });
}
