import type { MessageTokens } from "../../format/message-tokens.ts";

/** Dollars for one message; undefined for a model whose price nobody knows. `at` is when it was sent: now, by default. */
export type PriceOf = (model: string, tokens: MessageTokens, at?: Date | number) => number | undefined;

/** Dollars for a million tokens, by model: what somebody pays who does not pay the list price. */
export type PriceOverrides = Readonly<Record<string, ModelPrice>>;

export interface ModelPrice {
  input: number;
  output: number;
  cacheWrite5m?: number;
  cacheWrite1h?: number;
  cacheRead?: number;
}

/**
 * The list prices that came with the package, offline, with the given ones before them. Loaded when asked for: most
 * processes never price anything.
 */
export async function loadPrices(overrides: PriceOverrides = {}): Promise<PriceOf> {
  const { openPriceList } = await import("./price-list.ts");
  const findListed = openPriceList();
  const models = new Map<string, Map<number, Rates | undefined>>();

  function lookUp(model: string, day: number): Rates | undefined {
    // A model may be called `constructor`, which every object has.
    if (Object.hasOwn(overrides, model)) return ratesOfOverride(overrides[model]!);
    for (const name of namesOf(model)) {
      const priceAt = findListed(name);
      if (priceAt) return ratesOfList(priceAt(new Date((day + 0.5) * DAY_MS)));
    }
    return undefined;
  }

  return (model, tokens, at = Date.now()) => {
    const day = Math.floor(Number(at) / DAY_MS);
    let days = models.get(model);
    if (!days) models.set(model, (days = new Map()));
    if (!days.has(day)) days.set(day, lookUp(model, day));
    const rates = days.get(day);
    return rates && dollars(rates, tokens);
  };
}

const DAY_MS = 86_400_000;

type Rates = Record<keyof ModelPrice, Rate>;

/** A price for a million tokens; with tiers, another one for messages whose whole input is longer than `start`. */
type Rate = number | { base: number; tiers: { start: number; price: number }[] };
type ListPrice = Readonly<Record<string, Rate | undefined>>;

function dollars(rates: Rates, tokens: MessageTokens): number {
  const written = tokens.cacheWrite5mTokens + tokens.cacheWrite1hTokens;
  const context = tokens.inputTokens + written + tokens.cacheReadTokens;
  return (
    (rateAt(rates.input, context) * tokens.inputTokens +
      rateAt(rates.output, context) * tokens.outputTokens +
      rateAt(rates.cacheWrite5m, context) * tokens.cacheWrite5mTokens +
      rateAt(rates.cacheWrite1h, context) * tokens.cacheWrite1hTokens +
      rateAt(rates.cacheRead, context) * tokens.cacheReadTokens) /
    1e6
  );
}

function rateAt(rate: Rate, contextTokens: number): number {
  if (typeof rate === "number") return rate;
  return rate.tiers.reduce((price, tier) => (contextTokens > tier.start ? tier.price : price), rate.base);
}

// What a provider gives no price for costs what it would without a cache.
function ratesOfList(price: ListPrice): Rates {
  const input = price["input_mtok"] ?? 0;
  const cacheWrite5m = price["cache_write_5m_mtok"] ?? price["cache_write_mtok"] ?? input;
  return {
    input,
    output: price["output_mtok"] ?? 0,
    cacheWrite5m,
    cacheWrite1h: price["cache_write_1h_mtok"] ?? cacheWrite5m,
    cacheRead: price["cache_read_mtok"] ?? input,
  };
}

function ratesOfOverride({ input, output, cacheWrite5m = input, ...price }: ModelPrice): Rates {
  const { cacheWrite1h = cacheWrite5m, cacheRead = input } = price;
  return { input, output, cacheWrite5m, cacheWrite1h, cacheRead };
}

// Clouds put their own words around the model's name: us.anthropic.claude-opus-4-6-v1:0, claude-opus-4-6@20260101.
function namesOf(model: string): string[] {
  const inner = /claude-[a-z0-9.-]*[a-z0-9]/i.exec(model)?.[0].replace(/-v\d+$/, "");
  return inner === undefined || inner === model ? [model] : [model, inner];
}
