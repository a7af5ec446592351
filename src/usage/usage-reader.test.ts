import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { seededRandom } from "../../test/support/index.ts";
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
const moment = fc
  .date({ min: new Date("2025-01-01"), max: new Date("2027-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

/** A line of an answer as clients write it: the older ones begin with where they run, the newer ones end with it. */
const answer = fc
  .record({
    isNew: fc.boolean(),
    parentUuid: fc.option(fc.uuid()),
    isSidechain: fc.boolean(),
    cwd: fc.constantFrom("/home/dev/a", "/home/dev/bb", 'C:\\dev\\"c"'),
    message: fc.record({
      model: fc.constantFrom("claude-opus-4-6", "claude-haiku-4-5", "<synthetic>"),
      id,
      content: fc.array(block, { minLength: 0, maxLength: 2 }),
      stop_reason: fc.constantFrom(null, "end_turn", "tool_use"),
      usage,
    }),
    requestId: fc.option(id, { nil: undefined }),
    uuid: fc.uuid(),
    timestamp: moment,
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

test("UsageReader finds the same in lines of a form that it knows, in its buffer or not, as without any forms", () => {
  const [readers, skimming] = [[new UsageReader(), new UsageReader()], withoutForms()];
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ arbitrary: answer, weight: 6 }, other, damaged), { minLength: 1, maxLength: 40 }),
      (lines) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        const places = [bytes, readers[1]!.buffer];
        bytes.copy(places[1]!);
        let start = 0;
        for (const line of lines) {
          const end = start + Buffer.byteLength(line);
          const found = (reader: UsageReader, where: Buffer): unknown => {
            return { line, found: reader.read(where, start, end) ? { ...reader.line } : "nothing" };
          };
          const expected = found(skimming, bytes);
          expect(readers.map((reader, index) => found(reader, places[index]!))).toEqual([expected, expected]);
          start = end + 1;
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
    const bytes = Buffer.from(JSON.stringify(line));
    expect([random.seed, reader.read(bytes, 0, bytes.length)]).toEqual([random.seed, true]);
    skimming.read(bytes, 0, bytes.length);
    expect(reader.line).toEqual(skimming.line);
  }
});

function withoutForms(): UsageReader {
  vi.stubGlobal("WebAssembly", undefined);
  try {
    return new UsageReader();
  } finally {
    vi.unstubAllGlobals();
  }
}
