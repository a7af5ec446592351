import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { seededRandom } from "../../test/support/index.ts";
import { Column, ROW_LENGTH } from "./message-table.ts";
import { UsageReader } from "./usage-reader.ts";

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
  fc.tuple(text, id).map(([thinking, signature]) => ({ type: "thinking", signature, thinking })),
  fc
    .tuple(id, fc.jsonValue({ maxDepth: 3 }))
    .map(([name, value]) => ({ type: "tool_use", id: name, input: { value } })),
  // A model may call a tool with whatever it likes, a message too.
  id.map((name) => ({
    type: "tool_use",
    id: name,
    input: { message: { content: [{}], stop_reason: null, usage: { input_tokens: 7 } } },
  })),
);
const count = fc.nat({ max: 200_000 });
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
  { requiredKeys: ["input_tokens", "output_tokens"] },
);
const moment = fc.oneof(
  { arbitrary: dates("2025-01-01", "2027-01-01"), weight: 5 },
  dates("1960-01-01", "2105-01-01"),
  // Leap days, days that are none, and what is written otherwise.
  fc.constantFrom(
    "2024-02-29T23:59:59.999Z",
    "2100-03-01T00:00:00.000Z",
    "2026-02-31T24:60:60.000Z",
    "2026-13-01T00:00:00.000Z",
    "2026-00-10T00:00:00.000Z",
    "0050-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00.0000",
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.000+02:00",
    "a moment ago, or so, in Z",
    "",
  ),
);

function dates(min: string, max: string): fc.Arbitrary<string> {
  return fc
    .date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
    .map((date) => date.toISOString());
}

/** A line of an answer as clients write it: the older ones begin with where they run, the newer ones end with it. */
const answer = fc
  .record({
    isNew: fc.boolean(),
    parentUuid: fc.option(fc.uuid()),
    isSidechain: fc.boolean(),
    cwd: fc.constantFrom("/home/dev/a", "/home/dev/bb", 'C:\\dev\\"c"'),
    message: fc.record({
      model: fc.constantFrom("claude-opus-4-6", "claude-haiku-4-5", "<synthetic>"),
      // Some lines are of the same message.
      id: fc.oneof(id, fc.constantFrom("msg_1", "msg_2", "")),
      content: fc.array(block, { minLength: 0, maxLength: 2 }),
      stop_reason: fc.constantFrom(null, "end_turn", "tool_use"),
      usage,
    }),
    requestId: fc.option(fc.oneof(id, fc.constantFrom("req_1", "")), { nil: undefined }),
    uuid: fc.uuid(),
    timestamp: fc.option(moment, { nil: undefined }),
  })
  .map(({ isNew, parentUuid, isSidechain, cwd, message, ...rest }) => {
    const where = { cwd, version: "2.1.0" };
    return JSON.stringify({
      parentUuid,
      isSidechain,
      ...(!isNew && where),
      message,
      ...rest,
      type: "assistant",
      ...(isNew && where),
    });
  });
const other = fc
  .record({ parentUuid: fc.option(fc.uuid()), promptId: id, said: text })
  .map(({ said, ...rest }) => JSON.stringify({ ...rest, type: "user", message: { content: said } }));

/** Two lines of which the first was torn, or bytes of it were lost. */
const damaged = fc.tuple(answer, answer, fc.double({ min: 0, max: 1, noNaN: true })).chain(([a, b, part]) => {
  const torn = a.slice(0, Math.floor(a.length * part));
  return fc.constantFrom(torn, torn + b, `${torn}\0\0\0${b}`, a + b);
});

/** What a reader finds in bytes, as a scan would let it read: known lines of its buffer together, others one by one. */
function found(reader: UsageReader, bytes: Buffer): Record<string, unknown>[] {
  reader.messages.beginFile();
  for (let start = 0; start < bytes.length;) {
    if (bytes.buffer === reader.buffer.buffer) start = reader.readKnown(start, bytes.length);
    if (start === bytes.length) break;
    const end = bytes.indexOf(10, start);
    reader.read(bytes, start, end);
    start = end + 1;
  }
  const rows = reader.messages.take();
  return Array.from({ length: rows.length / ROW_LENGTH }, (_, row) => {
    const values = Object.entries(Column).map(([name, column]) => [name, rows[row * ROW_LENGTH + column]]);
    const message = Object.fromEntries(values) as { model: number };
    return { ...message, model: reader.messages.models[message.model] };
  });
}

/** The same bytes in the buffer of a reader. */
function inBuffer(reader: UsageReader, bytes: Buffer): Buffer {
  expect(bytes.copy(reader.buffer)).toBe(bytes.length);
  return reader.buffer.subarray(0, bytes.length);
}

test("UsageReader finds the same in lines of a form that it knows, in its buffer or not, as without any forms", () => {
  const [together, single, elsewhere, skimming] = [
    new UsageReader(),
    new UsageReader(),
    new UsageReader(),
    withoutForms(),
  ];
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ arbitrary: answer, weight: 6 }, other, damaged), { minLength: 1, maxLength: 40 }),
      (lines) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const expected = found(skimming, bytes);
        expect(found(together, inBuffer(together, bytes))).toEqual(expected);
        expect(found(elsewhere, bytes)).toEqual(expected);
        for (const line of lines) {
          const one = Buffer.from(`${line}\n`);
          expect({ line, found: found(single, inBuffer(single, one)) }).toEqual({
            line,
            found: found(skimming, one),
          });
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("UsageReader finds the same when every line has a form of its own", () => {
  const [reader, skimming] = [new UsageReader(), withoutForms()];
  const random = seededRandom(Date.now() % 1_000_000_000);
  for (let i = 0; i < 400; i++) {
    const own = Array.from({ length: random.between(0, 300) }, (_, at) => [`key${i}of${at}`, at]);
    const message = { id: `m${i}`, model: "claude-haiku-4-5", content: [{}], usage: { input_tokens: i } };
    const line = { type: "assistant", ...(i % 2 === 0 && Object.fromEntries(own)), message, own };
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    const expected = found(skimming, bytes);
    expect([random.seed, expected.length]).toEqual([random.seed, 1]);
    expect([random.seed, found(reader, inBuffer(reader, bytes))]).toEqual([random.seed, expected]);
  }
});

test("UsageReader finds every message of a file that has more of them than it has room for", () => {
  const [reader, skimming] = [new UsageReader(), withoutForms()];
  const lines = Array.from({ length: 6_000 }, (_, i) => {
    const message = { id: `m${i}`, content: [{}], usage: { input_tokens: i, output_tokens: 1 } };
    return `${JSON.stringify({ type: "assistant", message })}\n`;
  });
  const bytes = Buffer.from(lines.join(""));
  const inputs = found(reader, inBuffer(reader, bytes)).map(({ input }) => input);
  expect(inputs).toEqual(lines.map((_, i) => i));
  expect(found(skimming, bytes)).toEqual(found(reader, inBuffer(reader, bytes)));
});

function withoutForms(): UsageReader {
  vi.stubGlobal("WebAssembly", undefined);
  try {
    return new UsageReader();
  } finally {
    vi.unstubAllGlobals();
  }
}
