import { calcPrice, waitForUpdate } from "@pydantic/genai-prices";
import fc from "fast-check";
import { expect, test } from "vitest";
import { claudeModelsOf, findClaudeModel } from "./price-list.ts";

test("findClaudeModel() finds what the list finds, on every day, in names as clients and clouds write them", async () => {
  const providers = (await waitForUpdate())!;
  const models = claudeModelsOf(providers);
  const ids = providers.flatMap((provider) => provider.models.map(({ id }) => id));
  const claude = ids.filter((id) => id.includes("claude"));
  const name = fc
    .tuple(
      fc.constantFrom("", "us.anthropic.", "anthropic/", " "),
      fc.oneof(fc.constantFrom(...claude, "claude", "Claude-Sonnet-4-6"), fc.constantFrom(...ids)),
      fc.constantFrom("", "-20260205", "-2026-02-05", "@20260101", "-v1:0", "[1m]", "-latest", " "),
    )
    .map((parts) => parts.join(""));
  const moment = fc.date({ min: new Date("2024-01-01"), max: new Date("2027-06-01"), noInvalidDate: true });
  let found = 0;
  fc.assert(
    fc.property(name, moment, (model, timestamp) => {
      const priceAt = findClaudeModel(models, model);
      if (priceAt === undefined) return;
      found++;
      const expected = calcPrice({ input_tokens: 1 }, model, { timestamp })!;
      expect([model, priceAt(timestamp)]).toEqual([model, expected.model_price]);
    }),
    { numRuns: 3000 },
  );
  expect(found).toBeGreaterThan(100);
});

test("claudeModelsOf() refuses a list that it would be wrong about", async () => {
  const [anthropic, ...others] = (await waitForUpdate())!;
  expect(() => claudeModelsOf([...others, anthropic!])).toThrow("in another way");
  const byTheHour = {
    prices: {},
    constraint: { type: "time_of_date", start_time: "00:00:00Z", end_time: "08:00:00Z" },
  } as const;
  const models = [{ id: "claude-x", match: { equals: "claude-x" }, prices: [byTheHour] }];
  expect(() => claudeModelsOf([{ ...anthropic!, models }])).toThrow("the time of day");
});
