import fc from "fast-check";
import { expect, test } from "vitest";
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

test("UsageReader finds the same in lines of a form that it knows as in the first line of its life", () => {
  const experienced = new UsageReader();
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ arbitrary: answer, weight: 6 }, other, damaged), { minLength: 1, maxLength: 40 }),
      (lines) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
        let start = 0;
        for (const line of lines) {
          const end = start + Buffer.byteLength(line);
          const seen = [experienced, new UsageReader()].map((reader) => {
            return { line, found: reader.read(bytes, start, end) ? { ...reader.line } : "nothing" };
          });
          expect(seen[0]).toEqual(seen[1]);
          start = end + 1;
        }
      },
    ),
    { numRuns: 300 },
  );
});
