import { describe, expect, test } from "vitest";
import { mergeTokens, tokensOf, type MessageTokens } from "./message-tokens.ts";

const tokens = (given: Partial<MessageTokens>): MessageTokens => ({ ...tokensOf({}), ...given });

describe("tokensOf()", () => {
  test.each<[string, unknown, Partial<MessageTokens>]>([
    ["plain counts", { input_tokens: 1, output_tokens: 2 }, { inputTokens: 1, outputTokens: 2 }],
    ["what was read from the cache", { cache_read_input_tokens: 3 }, { cacheReadTokens: 3 }],
    ["a sum alone", { cache_creation_input_tokens: 4 }, { cacheWrite5mTokens: 4 }],
    [
      "a split beside its sum",
      {
        cache_creation_input_tokens: 5,
        cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
      },
      { cacheWrite5mTokens: 2, cacheWrite1hTokens: 3 },
    ],
    [
      "a filled split beside an empty sum",
      { cache_creation_input_tokens: 0, cache_creation: { ephemeral_5m_input_tokens: 2 } },
      { cacheWrite5mTokens: 2 },
    ],
    ["what is no count", { input_tokens: "7", output_tokens: -1, cache_creation: 3 }, {}],
    ["what is no usage", null, {}],
  ])("reads %s", (_what, usage, expected) => {
    expect(tokensOf(usage)).toEqual(tokens(expected));
  });
});

test("mergeTokens() takes of each count the largest", () => {
  const first = tokens({ inputTokens: 5, outputTokens: 1, cacheWrite1hTokens: 2 });
  const second = tokens({ inputTokens: 5, outputTokens: 9, cacheReadTokens: 4 });
  expect(mergeTokens(first, second)).toEqual(
    tokens({ inputTokens: 5, outputTokens: 9, cacheWrite1hTokens: 2, cacheReadTokens: 4 }),
  );
});
