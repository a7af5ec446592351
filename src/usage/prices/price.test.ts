import { expect, test } from "vitest";
import type { MessageTokens } from "../../format/message-tokens.ts";
import { loadPrices } from "./price.ts";

const none: MessageTokens = {
  inputTokens: 0,
  outputTokens: 0,
  cacheWrite5mTokens: 0,
  cacheWrite1hTokens: 0,
  cacheReadTokens: 0,
};
const at = new Date("2026-03-01T00:00:00Z");

test("loadPrices() prices each kind of token by the list", async () => {
  const priceOf = await loadPrices();
  const thousand = (kind: keyof MessageTokens): number | undefined =>
    priceOf("claude-opus-4-6", { ...none, [kind]: 1000 }, at);
  expect({
    input: thousand("inputTokens"),
    output: thousand("outputTokens"),
    fiveMinutes: thousand("cacheWrite5mTokens"),
    hour: thousand("cacheWrite1hTokens"),
    read: thousand("cacheReadTokens"),
  }).toEqual({ input: 0.005, output: 0.025, fiveMinutes: 0.00625, hour: 0.01, read: 0.0005 });
});

test("loadPrices() takes the price of a long context only for messages that have one", async () => {
  const priceOf = await loadPrices();
  const cost = (inputTokens: number): number | undefined =>
    priceOf("claude-sonnet-4-5", { ...none, inputTokens }, at);
  expect(cost(200_000)).toBeCloseTo(0.6);
  expect(cost(200_001)).toBeCloseTo(1.2, 4);
});

test("loadPrices() knows models by the names that clouds give them, and says when it does not", async () => {
  const priceOf = await loadPrices();
  const cost = (model: string): number | undefined => priceOf(model, { ...none, outputTokens: 1e6 }, at);
  expect([
    cost("us.anthropic.claude-opus-4-6-v1:0"),
    cost("claude-opus-4-6[1m]"),
    cost("home-made"),
    cost(""),
  ]).toEqual([25, 25, undefined, undefined]);
});

test("loadPrices() puts given prices before the list", async () => {
  const priceOf = await loadPrices({ "home-made": { input: 1, output: 2 } });
  expect(priceOf("home-made", { ...none, inputTokens: 1e6, cacheReadTokens: 1e6, outputTokens: 1e6 })).toBe(
    4,
  );
});
