import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleSession } from "../../../test/support/index.ts";
import { LineSkimmer } from "./skim-line.ts";
import type { Range } from "./skimmed-keys.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Every fact that a skim reports, as values, so that it can be compared with what JSON.parse finds. */
interface Facts {
  strings: Record<string, string | undefined>;
  usage: Json | undefined;
  flags: Record<string, boolean>;
  toolUses: string[];
  toolResults: string[];
}

const TOP_LEVEL = [
  "type",
  "subtype",
  "uuid",
  "parentUuid",
  "logicalParentUuid",
  "sessionId",
  "timestamp",
  "cwd",
  "gitBranch",
  "requestId",
] as const;

function skimmedFacts(skimmer: LineSkimmer, bytes: Buffer): Facts {
  const text = (start: number, end: number): string =>
    JSON.parse(`"${bytes.toString("utf8", start, end)}"`) as string;
  const string = ({ start, end }: Range): string | undefined => (start < 0 ? undefined : text(start, end));
  const pairs = (ranges: number[]): string[] =>
    ranges.flatMap((start, index) => (index % 2 === 0 ? [text(start, ranges[index + 1]!)] : []));
  const { usage, isSidechain, isCompactSummary, isMeta, hasPreserved } = skimmer;
  return {
    strings: {
      ...Object.fromEntries(TOP_LEVEL.map((name) => [name, string(skimmer[name])])),
      messageId: string(skimmer.messageId),
      model: string(skimmer.model),
    },
    usage: usage.start < 0 ? undefined : (JSON.parse(bytes.toString("utf8", usage.start, usage.end)) as Json),
    flags: { isSidechain, isCompactSummary, isMeta, hasPreserved },
    toolUses: pairs(skimmer.toolUses),
    toolResults: pairs(skimmer.toolResults),
  };
}

function parsedFacts(entry: JsonObject): Facts {
  const string = (value: Json | undefined): string | undefined =>
    typeof value === "string" ? value : undefined;
  const object = (value: Json | undefined): JsonObject | undefined =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  const message = object(entry.message) ?? {};
  const metadata = object(entry.compactMetadata) ?? {};
  const blocks = (Array.isArray(message.content) ? message.content : []).map((block) => object(block) ?? {});
  const idsOf = (type: string, key: string): string[] =>
    blocks
      .filter((block) => block.type === type && typeof block[key] === "string")
      .map((block) => block[key] as string);
  return {
    strings: {
      ...Object.fromEntries(TOP_LEVEL.map((name) => [name, string(entry[name])])),
      messageId: string(message.id),
      model: string(message.model),
    },
    usage: object(message.usage),
    flags: {
      isSidechain: entry.isSidechain === true,
      isCompactSummary: entry.isCompactSummary === true,
      isMeta: entry.isMeta === true,
      hasPreserved: "preservedSegment" in metadata || "preservedMessages" in metadata,
    },
    toolUses: idsOf("tool_use", "id"),
    toolResults: idsOf("tool_result", "tool_use_id"),
  };
}

// Strings around the length where the skimmer changes its way of searching, full of what could mislead it.
const tricky = fc.constantFrom(
  '"',
  "\\",
  '\\"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "type",
  '"type":"x"',
  "ü",
  "漢",
  "🙂",
  "\u0001",
  "\t",
  " ",
);
const string = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.array(tricky, { maxLength: 30 }).map((parts) => parts.join("")),
  fc
    .tuple(fc.integer({ min: 34, max: 46 }), tricky, fc.nat({ max: 4 }))
    .map(([n, end, times]) => "x".repeat(n) + end.repeat(times)),
);
const { json } = fc.letrec<{ json: Json; leaf: Json }>((tie) => ({
  leaf: fc.oneof(string, fc.constantFrom(null, true, false, 0, -1, 1.5e300, 1e-7, "true")),
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie("leaf"),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(string, fc.constantFrom(...TOP_LEVEL, "message", "id", "tool_use_id", "content")),
      tie("json"),
      { maxKeys: 4 },
    ),
  ),
}));

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Json | undefined> =>
  fc.oneof({ arbitrary, weight: 3 }, json, fc.constant(undefined)) as fc.Arbitrary<Json | undefined>;
const shape = (keys: Record<string, fc.Arbitrary<Json | undefined>>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(fc.record(keys), fc.dictionary(string, json, { maxKeys: 2 }), fc.infiniteStream(fc.nat()))
    .map(([known, other, order]) => {
      const members = Object.entries({ ...other, ...known }).filter(([, value]) => value !== undefined);
      const keyed = members.map(([key, value]) => ({ at: order.next().value, key, value }));
      return Object.fromEntries(
        keyed.sort((a, b) => a.at - b.at).map(({ key, value }) => [key, value]),
      ) as JsonObject;
    });

const blockType = fc.constantFrom(
  "tool_use",
  "tool_result",
  "tool_result_x",
  "tool_use_x",
  "server_tool_use",
  "text",
);
const block = shape({
  type: optional(blockType),
  id: optional(string),
  tool_use_id: optional(string),
  input: optional(json),
});
const message = shape({
  id: optional(string),
  model: optional(string),
  usage: optional(fc.dictionary(string, json)),
  content: optional(fc.array(fc.oneof(block, json), { maxLength: 4 })),
});
const entry = shape({
  ...Object.fromEntries(TOP_LEVEL.map((name) => [name, optional(string)])),
  isSidechain: optional(fc.boolean()),
  isCompactSummary: optional(fc.boolean()),
  isMeta: optional(fc.boolean()),
  compactMetadata: optional(shape({ preservedSegment: optional(json), preservedMessages: optional(json) })),
  toolUseResult: optional(json),
  message: optional(message),
});

/** Writes JSON as other tools might: spaces, tabs and returns wherever they may stand, characters escaped at will. */
function write(value: Json, draw: () => number): string {
  const gap = (): string => ["", "", "", "", " ", "\t", "\r", "  "][draw() % 8]!;
  const text = (plain: string): string =>
    JSON.stringify(plain).replace(/[^\\"u]/gu, (char) =>
      char.length === 1 && draw() % 9 === 0 ? escaped(char) : char,
    );
  // Keys stay as they are: no writer escapes a plain letter in a key, and the skimmer compares keys as bytes.
  if (typeof value === "string") return isSafeToEscape(value) ? text(value) : JSON.stringify(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${gap()}${value.map((item) => write(item, draw) + gap()).join(`,${gap()}`)}]`;
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${gap()}:${gap()}${write(item, draw)}${gap()}`,
  );
  return `{${gap()}${members.join(`,${gap()}`)}}`;
}

// A character behind a backslash belongs to an escape already, and block types are compared as bytes like keys.
const isSafeToEscape = (text: string): boolean =>
  !JSON.stringify(text).includes("\\") && !text.startsWith("tool_");
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

const line = fc
  .tuple(
    entry,
    fc.infiniteStream(fc.nat()),
    fc.constantFrom("", "\uFEFF", " ", "\t"),
    fc.constantFrom("", " ", "\r"),
  )
  .map(([value, draws, before, after]) => ({
    value,
    text: before + write(value, () => draws.next().value) + after,
  }));

test("LineSkimmer reports what JSON.parse finds, on any line, wherever it stands in the buffer", () => {
  const skimmer = new LineSkimmer();
  fc.assert(
    fc.property(line, ({ value, text }) => {
      const bytes = Buffer.from(`x"${text}\n"}`);
      const isEntry = skimmer.skim(bytes, 2, bytes.length - 3);
      const expected = typeof value["type"] === "string" ? parsedFacts(value) : "no entry";
      expect(isEntry ? skimmedFacts(skimmer, bytes) : "no entry").toEqual(expected);
    }),
    { numRuns: 1500 },
  );
});

test("LineSkimmer refuses every proper beginning of a line, whatever bytes follow it", () => {
  const skimmer = new LineSkimmer();
  fc.assert(
    fc.property(line, ({ text }) => {
      const bytes = Buffer.from(text);
      const whole = Buffer.from(text.trimEnd()).length;
      const accepted = [];
      for (let end = 0; end < whole; end++) if (skimmer.skim(bytes, 0, end)) accepted.push(end);
      expect(accepted).toEqual([]);
    }),
    { numRuns: 120 },
  );
});

test("LineSkimmer refuses two lines glued together, and everything that is no object", () => {
  const skimmer = new LineSkimmer();
  const refused = [
    '{"type":"a"}{"type":"b"}',
    '{"type":"a"} {"type":"b"}',
    '{"type":"a"}}',
    "[]",
    '"type"',
    "",
    " ",
    '{"type":1}',
    "{}",
  ];
  expect(refused.filter((text) => skimmer.skim(Buffer.from(text), 0, Buffer.byteLength(text)))).toEqual([]);
});

test("LineSkimmer agrees with JSON.parse on lines as the client writes them", () => {
  const skimmer = new LineSkimmer();
  for (const value of sampleSession({ rounds: 2 }).entries) {
    const bytes = Buffer.from(JSON.stringify(value));
    expect(skimmer.skim(bytes, 0, bytes.length)).toBe(true);
    expect(skimmedFacts(skimmer, bytes)).toEqual(parsedFacts(value as JsonObject));
  }
});

test("LineSkimmer forgets the line before", () => {
  const skimmer = new LineSkimmer();
  const full = Buffer.from(JSON.stringify(sampleSession().entries.find(({ type }) => type === "assistant")));
  const empty = Buffer.from('{"type":"x"}');
  skimmer.skim(full, 0, full.length);
  skimmer.skim(empty, 0, empty.length);
  expect(skimmedFacts(skimmer, empty)).toEqual(parsedFacts({ type: "x" }));
});
