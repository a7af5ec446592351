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
  const known = new Map<string, (day: number) => Rates | undefined>();

  function lookUp(model: string): (day: number) => Rates | undefined {
    const given = overrides[model];
    if (given !== undefined) return constant(ratesOfOverride(given));
    for (const name of namesOf(model)) {
      const listed = findListed(name);
      if (!listed) continue;
      const onDay = (day: number): Rates => ratesOfList(listed.priceAt(new Date((day + 0.5) * DAY_MS)));
      return listed.hasChanged ? remember(onDay) : constant(onDay(0));
    }
    return constant(undefined);
  }

  return (model, tokens, at = Date.now()) => {
    let ratesOn = known.get(model);
    if (!ratesOn) known.set(model, (ratesOn = lookUp(model)));
    const rates = ratesOn(Math.floor(Number(at) / DAY_MS));
    return rates && dollars(rates, tokens);
  };
}

function constant(rates: Rates | undefined): (day: number) => Rates | undefined {
  return () => rates;
}

function remember(ratesOn: (day: number) => Rates | undefined): (day: number) => Rates | undefined {
  const known = new Map<number, Rates | undefined>();
  return (day) => {
    if (!known.has(day)) known.set(day, ratesOn(day));
    return known.get(day);
  };
}

const DAY_MS = 86_400_000;

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
