import fc from "fast-check";
import { expect, test } from "vitest";
import { addLine, usagesOfLine, type MessageUsage } from "./message-usage.ts";

const id = fc.stringMatching(/^[A-Za-z0-9]{4,24}$/);
const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc
    .array(fc.constantFrom('"', "\\", '{"', '"message":{"', '"}],"stop_reason":', "],", "\n", "x"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
);
const block = fc.oneof(
  text.map((said) => ({ type: "text", text: said })),
  fc.tuple(text, id).map(([thinking, signature]) => ({ type: "thinking", thinking, signature })),
  fc
    .tuple(id, fc.jsonValue({ maxDepth: 3 }))
    .map(([name, value]) => ({ type: "tool_use", id: name, input: { value } })),
  // A model may call a tool with anything, even with a message.
  id.map((name) => ({
    type: "tool_use",
    id: name,
    input: { message: { content: [{}], stop_reason: "no", usage: { input_tokens: 7 } } },
  })),
);
const count = fc.oneof(fc.nat({ max: 200_000 }), fc.constantFrom(-1, 0.5, 1e300, null, "7"));
const usage = fc.record(
  {
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    cache_creation: fc.record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
    output_tokens: count,
    service_tier: fc.constantFrom("standard", null),
    iterations: fc.array(fc.record({ input_tokens: count, output_tokens: count }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const moment = fc.oneof(
  fc
    .date({ min: new Date("1960-01-01"), max: new Date("2105-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom("2024-02-29T23:59:59.999Z", "2026-01-01T00:00:00.000+02:00", "a moment ago", "", 5),
);
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

/** A line of an answer as clients write it: the older ones begin with where they run, the newer ones end with it. */
const answer = fc
  .record({
    isNew: fc.boolean(),
    isSidechain: fc.boolean(),
    cwd: fc.constantFrom("/home/dev/a", 'C:\\dev\\"c"'),
    message: fc.record({
      model: optional(fc.constantFrom("claude-opus-4-6", "modèle", "<synthetic>")),
      id: optional(fc.oneof(id, fc.constantFrom("msg_1", "msg_2", ""))),
      content: fc.array(block, { maxLength: 2 }),
      stop_reason: fc.constantFrom(null, "end_turn"),
      usage: fc.oneof({ arbitrary: usage, weight: 9 }, fc.constantFrom(null, "none", undefined)),
    }),
    requestId: optional(fc.oneof(id, fc.constantFrom("req_1", ""))),
    type: fc.oneof({ arbitrary: fc.constant("assistant"), weight: 9 }, fc.constant("user")),
    uuid: optional(fc.uuid()),
    timestamp: optional(moment),
  })
  .map(({ isNew, isSidechain, cwd, message, ...rest }) => {
    const where = { cwd, version: "2.1.0" };
    return JSON.stringify({ isSidechain, ...(!isNew && where), message, ...rest, ...(isNew && where) });
  });

/** Two lines of which the first was torn, or bytes of it were lost. */
const damaged = fc.tuple(answer, answer, fc.double({ min: 0, max: 1, noNaN: true })).chain(([a, b, part]) => {
  const torn = a.slice(0, Math.floor(a.length * part));
  return fc.constantFrom(torn, torn + b, `${torn}\0\0\0${b}`, a + b);
});

type Found = Omit<MessageUsage, "key">;

/** The same by parsing the whole line; shares no code with the product. The id tells messages apart. */
function parsed(line: string): (Found & { id: string }) | undefined {
  let entry;
  try {
    entry = JSON.parse(line) as Record<string, any>; // eslint-disable-line typescript/no-explicit-any -- raw JSON, looked at without the product's types
  } catch {
    return undefined;
  }
  const { message, requestId, timestamp, uuid } = entry;
  const counts = message.usage;
  if (entry["type"] !== "assistant" || typeof counts !== "object" || counts === null) return undefined;
  if (message.model === "<synthetic>") return undefined;
  const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const blocks = message.content as { signature?: string }[];
  const signed = blocks.map(({ signature }) => (signature === undefined ? 0 : bytesOf(signature) - 2));
  const positive = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
  const hour = positive(counts.cache_creation?.ephemeral_1h_input_tokens);
  const at = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return {
    id: message.id === undefined ? `own ${uuid ?? line}` : JSON.stringify([message.id, requestId]),
    at: Number.isNaN(at) ? null : at,
    model: message.model ?? "",
    isStopped: message.stop_reason !== null,
    isSidechain: entry["isSidechain"],
    contentBytes: blocks.length === 0 ? 0 : signed.reduce((left, each) => left - each, bytesOf(blocks)),
    inputTokens: positive(counts.input_tokens),
    outputTokens: positive(counts.output_tokens),
    cacheWrite5mTokens: Math.max(
      positive(counts.cache_creation?.ephemeral_5m_input_tokens),
      positive(counts.cache_creation_input_tokens) - hour,
    ),
    cacheWrite1hTokens: hour,
    cacheReadTokens: positive(counts.cache_read_input_tokens),
  };
}

test("usagesOfLine() finds what parsing the whole line finds, and the same key for the same ids only", () => {
  const lines = fc.array(fc.oneof({ arbitrary: answer, weight: 6 }, damaged), {
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(lines, (each) => {
      const bytes = Buffer.from(each.join("\n"));
      const keys: [number | undefined, string | undefined][] = [];
      let start = 0;
      for (const line of each) {
        const end = start + Buffer.byteLength(line);
        const { key, ...found } = usagesOfLine(bytes, start, end)[0] ?? { key: undefined };
        const { id: ownId, ...expected } = parsed(line) ?? { id: undefined };
        expect([line, found]).toEqual([line, expected]);
        keys.push([key, ownId]);
        start = end + 1;
      }
      const distinct = (values: unknown[]): number => new Set(values).size;
      const pairs = distinct(keys.map((pair) => pair.join(" ")));
      expect([distinct(keys.map(([key]) => key)), distinct(keys.map(([, own]) => own))]).toEqual([
        pairs,
        pairs,
      ]);
    }),
    { numRuns: 1000 },
  );
});

test("usagesOfLine() finds the advisors of a message, each under its own model, once for all lines", () => {
  const advisor = {
    type: "advisor_message",
    model: "claude-fable-5",
    input_tokens: 70_339,
    output_tokens: 2105,
  };
  const lineWith = (iterations: object[]): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: "assistant",
        uuid: "u",
        message: {
          id: "msg_1",
          model: "claude-opus-5",
          usage: { input_tokens: 4, output_tokens: 9, iterations },
        },
      }),
    );
  const messages = new Map<number, MessageUsage>();
  for (const iterations of [
    [{ type: "message" }, advisor],
    [{ type: "message" }, advisor, {}, advisor],
  ]) {
    const bytes = lineWith(iterations);
    for (const each of usagesOfLine(bytes, 0, bytes.length)) addLine(messages, each);
  }
  const found = [...messages.values()].map(({ model, inputTokens, outputTokens }) => [
    model,
    inputTokens,
    outputTokens,
  ]);
  expect(found).toEqual([
    ["claude-opus-5", 4, 9],
    ["claude-fable-5", 70_339, 2105],
    ["claude-fable-5", 70_339, 2105],
  ]);
});
