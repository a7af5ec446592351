import * as fc from "fast-check";
import { expect, test } from "vitest";
import { typedTextOf } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/index.ts";
import { readPrompt } from "./read-prompt.ts";
import { LineSkimmer } from "./skim-line.ts";

function promptIn(line: string): string | undefined {
  const bytes = Buffer.from(line);
  const skimmer = new LineSkimmer();
  skimmer.skim(bytes, 0, bytes.length);
  return readPrompt(skimmer, bytes, 0, bytes.length);
}

const plain = { parentUuid: null, type: "user", uuid: "u", timestamp: "2026-01-01T00:00:00.000Z" };

const valuesOf = (key: string, ...values: unknown[]): fc.Arbitrary<[string, unknown]> =>
  fc.constantFrom(...values).map((value) => [key, value]);
// What may say who spoke, or that the line is none of the conversation, and what only looks like it.
const unusual = fc.oneof(
  valuesOf("uuid", "", 1),
  valuesOf("parentUuid", "p", 1),
  valuesOf("timestamp", 1),
  valuesOf("isSidechain", true, false),
  valuesOf("isMeta", true, false),
  valuesOf("isCompactSummary", true, false),
  valuesOf("isVisibleInTranscriptOnly", true, false),
  valuesOf("sourceToolUseID", "t"),
  valuesOf("toolUseResult", "done", { origin: { kind: "human" } }),
  valuesOf("promptSource", "typed", "sdk", "queued", "system", "other", 1),
  valuesOf("origin", { kind: "human" }, { kind: "task-notification" }, { name: "x", kind: "human" }, {}),
  valuesOf("gitBranch", 'a"b\\', '","parentUuid":null'),
  valuesOf("nested", { parentUuid: null }, { promptSource: "system" }),
);
const contents = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("<command-name>/x</command-name>", "[Request interrupted by user]", " \n", "(no content)"),
  fc.array(fc.record({ type: fc.constantFrom("text", "tool_result"), text: fc.string() })),
);

test("readPrompt() takes what was typed for a prompt, whatever stands beside it and in which order", () => {
  let prompts = 0;
  const places = fc.integer({ min: 0, max: 7 });
  const property = fc.property(fc.array(unusual, { maxLength: 3 }), contents, places, (keys, content, at) => {
    const members: [string, unknown][] = Object.entries({ ...plain, ...Object.fromEntries(keys) });
    members.splice(at, 0, ["message", { role: "user", content }]);
    const entry = Object.fromEntries(members) as unknown as Entry;
    const typed = typedTextOf(entry);
    if (typed) prompts++;
    expect(promptIn(JSON.stringify(entry))).toBe(typed);
  });
  fc.assert(property, { numRuns: 3000 });
  expect(prompts).toBeGreaterThan(500);
});

const lineOf = (content: string): string =>
  JSON.stringify({ ...plain, message: { role: "user", content: "#" } }).replace("#", content);

test("readPrompt() reads of a long prompt only the first words", () => {
  const text = "word ".repeat(100_000);
  const prompt = promptIn(lineOf(text))!;
  expect([text.startsWith(prompt), prompt.length > 900, prompt.length < 1100]).toEqual([true, true, true]);
});

test.each([
  ["an escape that is none", String.raw`a \x b`],
  // Deep in a long text, where a list does not look for it.
  ["a control character", `${"a ".repeat(400)}\u0001`],
  ["a NUL behind what is read of it", `${"a ".repeat(2000)}\0`],
])("readPrompt() reads nothing out of a line with %s", (_what, content) => {
  expect(promptIn(lineOf(content))).toBeUndefined();
});
