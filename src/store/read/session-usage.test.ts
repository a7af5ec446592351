import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sampleSession, tempDir } from "../../../test/support/index.ts";
import { readUsage, type SessionUsage, type TokenCounts } from "./session-usage.ts";

async function usageOf(lines: (object | string)[]): Promise<SessionUsage> {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(
    file,
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
  );
  return readUsage(file);
}

interface Said {
  id?: string;
  requestId?: string;
  model?: string;
}
const said = (usage: unknown, { id = "m", requestId = "r", model = "opus" }: Said = {}): object => ({
  type: "assistant",
  requestId,
  message: { id, model, usage },
});
const output = (tokens: number): object => ({ output_tokens: tokens });
const counts = (messages: number, outputTokens: number): TokenCounts => ({
  messages,
  inputTokens: 0,
  outputTokens,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
});

test("readUsage() counts a message once, with the largest of what its lines say", async () => {
  const full = {
    input_tokens: 1,
    output_tokens: 2,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 4,
  };
  const usage = await usageOf([
    said(full),
    said({ ...full, output_tokens: 20 }),
    said({ ...full, output_tokens: 7 }),
  ]);
  const expected = {
    messages: 1,
    inputTokens: 1,
    outputTokens: 20,
    cacheCreationTokens: 3,
    cacheReadTokens: 4,
  };
  expect(usage).toEqual({ ...expected, byModel: { opus: expected } });
});

test("readUsage() adds up the messages of a whole session", async () => {
  const file = path.join(tempDir(), "session.jsonl");
  const session = sampleSession({ rounds: 3 });
  fs.writeFileSync(file, session.jsonl());
  const messages = new Set(session.entries.flatMap(({ message }) => message?.id ?? [])).size;
  expect(await readUsage(file)).toMatchObject({
    messages,
    inputTokens: 100 * messages,
    cacheReadTokens: 3000 * messages,
  });
});

test.each<[string, object[], TokenCounts]>([
  ["another message id", [said(output(1)), said(output(2), { id: "n" })], counts(2, 3)],
  ["another request", [said(output(1)), said(output(2), { requestId: "s" })], counts(2, 3)],
  [
    "a gateway that names no request",
    [1, 2].map((tokens) => ({ type: "assistant", message: { id: "m", usage: output(tokens) } })),
    counts(1, 2),
  ],
  [
    "lines without a message id",
    [1, 2].map((tokens) => ({ type: "assistant", message: { usage: output(tokens) } })),
    counts(2, 3),
  ],
  [
    "what the client made up",
    [said(output(1)), said(output(9), { id: "n", model: "<synthetic>" })],
    counts(1, 1),
  ],
  ["lines of a user", [{ ...said(output(1)), type: "user" }], counts(0, 0)],
  [
    "numbers that are none",
    [said({ output_tokens: "7", input_tokens: -5, cache_read_input_tokens: null, cache_creation: 3 })],
    counts(1, 0),
  ],
  ["usage that is no object", [said(null), said([1]), said("x"), said(undefined)], counts(0, 0)],
  [
    "a filled split beside an empty sum",
    [
      said({
        cache_creation_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
      }),
    ],
    { ...counts(1, 0), cacheCreationTokens: 5 },
  ],
])("readUsage() copes with %s", async (_what, lines, expected) => {
  const { byModel: _, ...usage } = await usageOf(lines);
  expect(usage).toEqual(expected);
});

test("readUsage() tells models apart, whatever they are called", async () => {
  const models = ["opus", "__proto__", "constructor", "", "opus"];
  const { byModel } = await usageOf(
    models.map((model, index) => said(output(1), { id: `m${index}`, model })),
  );
  expect(new Map(Object.entries(byModel))).toEqual(
    new Map([
      ["opus", counts(2, 2)],
      ["__proto__", counts(1, 1)],
      ["constructor", counts(1, 1)],
      ["", counts(1, 1)],
    ]),
  );
  expect(Object.hasOwn(Object.prototype, "messages")).toBe(false);
});

test("readUsage() reads around lines that are none, and nothing from an empty file", async () => {
  expect([
    await usageOf(['{"type":"assistant","message":{"usage":{"output_tokens":1}}', "hello", said(output(3))]),
    await usageOf([]),
  ]).toEqual([
    { ...counts(1, 3), byModel: { opus: counts(1, 3) } },
    { ...counts(0, 0), byModel: {} },
  ]);
});

test("readUsage() says when the file is not there", async () => {
  await expect(readUsage(path.join(tempDir(), "x.jsonl"))).rejects.toThrow(
    expect.objectContaining({ code: "session_not_found" }),
  );
});
