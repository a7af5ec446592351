/** Tokens of one API message, as far as they are priced differently. */
export interface PricedTokens {
  inputTokens: number;
  outputTokens: number;
  /** Written to the cache for five minutes. */
  cacheWrite5mTokens: number;
  /** Written to the cache for an hour. */
  cacheWrite1hTokens: number;
  cacheReadTokens: number;
}

/** Dollars for one message; undefined for a model whose price nobody knows. `at` is when it was sent. */
export type PriceOf = (model: string, tokens: PricedTokens, at?: Date) => number | undefined;

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
 * The list prices that came with the package, offline, with the given ones before them. Loaded when asked for: the list
 * is a third of a megabyte, and most processes never price anything.
 */
export async function loadPrices(overrides: PriceOverrides = {}): Promise<PriceOf> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  const known = new Map<string, Rates | undefined>();

  function lookUp(model: string, day: string): Rates | undefined {
    const given = overrides[model];
    if (given !== undefined) return ratesOfOverride(given);
    for (const name of namesOf(model)) {
      const found = calcPrice({ input_tokens: 1 }, name, { timestamp: new Date(`${day}T12:00:00Z`) });
      if (found) return ratesOfList(found.model_price);
    }
    return undefined;
  }

  return (model, tokens, at = new Date()) => {
    // Prices change by the day at most.
    const day = at.toISOString().slice(0, 10);
    const key = `${day} ${model}`;
    if (!known.has(key)) known.set(key, lookUp(model, day));
    const rates = known.get(key);
    return rates && dollars(rates, tokens);
  };
}

interface Rates {
  input: Rate;
  output: Rate;
  cacheWrite5m: Rate;
  cacheWrite1h: Rate;
  cacheRead: Rate;
}

/** A price for a million tokens; with tiers, another one for messages whose whole input is longer than `start`. */
type Rate = number | { base: number; tiers: { start: number; price: number }[] };
type ListPrice = Readonly<Record<string, Rate | undefined>>;

function dollars(rates: Rates, tokens: PricedTokens): number {
  const written = tokens.cacheWrite5mTokens + tokens.cacheWrite1hTokens;
  const context = tokens.inputTokens + written + tokens.cacheReadTokens;
  const cost = (rate: Rate, count: number): number => rateAt(rate, context) * count;
  return (
    (cost(rates.input, tokens.inputTokens) +
      cost(rates.output, tokens.outputTokens) +
      cost(rates.cacheWrite5m, tokens.cacheWrite5mTokens) +
      cost(rates.cacheWrite1h, tokens.cacheWrite1hTokens) +
      cost(rates.cacheRead, tokens.cacheReadTokens)) /
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
