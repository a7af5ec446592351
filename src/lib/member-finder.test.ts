import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { findMembersProgram } from "./find-members-program.ts";
import { openMemberMemory, type MemberFinder } from "./member-finder.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const KEYS = ["a", "type", "isSidechain", "sixteen letters!"];
const BYTES = 1 << 16;

const memory = openMemberMemory(BYTES, [KEYS, ["b"]])!;
const [first, second] = memory.finders as [MemberFinder, MemberFinder];

/** The values of the keys, as far as they are found; undefined when the text is no whole object. */
function find(text: string, finder = first, keys = KEYS): Record<string, unknown> | undefined {
  const at = 100;
  // What stands around it is not looked at.
  memory.bytes.fill('"');
  const length = memory.bytes.write(text, at);
  if (!finder.find(memory.bytes, at, at + length)) return undefined;
  const values = keys.map((key, index) => {
    const start = finder.startOf(index);
    return [
      key,
      start < 0 ? undefined : JSON.parse(memory.bytes.toString("utf8", start, finder.endOf(index))),
    ];
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

function pick(object: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}

const key = fc.oneof(fc.constantFrom(...KEYS, "b", "types", "isSidechaim", ""), fc.string());
const object = fc.dictionary(key, fc.jsonValue({ maxDepth: 4 }), { maxKeys: 12, noNullPrototype: true });

test("findMembersProgram() makes a program that WebAssembly takes", () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(code: Uint8Array): boolean } };
  expect(WebAssembly.validate(findMembersProgram())).toBe(true);
});

test("MemberFinder finds the values that JSON.parse finds, of the object's own members only", () => {
  fc.assert(
    fc.property(object, fc.constantFrom("", " ", "\t"), (value, space) => {
      const text = JSON.stringify(value, null, space).replaceAll("\n", "\r");
      const parsed = JSON.parse(text) as object;
      expect(find(text)).toEqual(pick(parsed, KEYS));
      expect(find(text, second, ["b"])).toEqual(pick(parsed, ["b"]));
    }),
    { numRuns: 500 },
  );
});

test("MemberFinder finds what stands behind strings of every length, escapes at every place in them", () => {
  for (let length = 0; length < 70; length++) {
    for (const end of ["", "\\", '"', "\\\\", '\\"', "\u2192", '"}', "\n"]) {
      const value = { x: "x".repeat(length) + end, y: `${end}${"\\".repeat(length)}`, type: "user" };
      expect(find(JSON.stringify(value))).toEqual({ type: "user" });
    }
  }
});

test("MemberFinder refuses every beginning of an object, and an object with something behind it", () => {
  const text = JSON.stringify({ a: [1, { b: '\\"' }, []], type: "t", c: { d: true, e: null }, f: {} });
  for (let length = 0; length < text.length; length++) expect(find(text.slice(0, length))).toBeUndefined();
  for (const more of ["}", "]", ",", "x", " ", text]) expect(find(text + more)).toBeUndefined();
  expect(find(text)).toEqual({ a: [1, { b: '\\"' }, []], type: "t" });
});

test.each(
  [
    ["[]", "1", "null", '"a"', "{a:1}", '{"a"}', '{"a" 1}', '{"a":}', '{"a":1,}', '{,"a":1}', '{"a":1 2}'],
    ['{"a":1"b":2}', '{"a":[1}', '{"a":{]}', '{"a":[1,]}', '{"a":["b":1]}', '{"a":{1}}', '{"a":{"b",1}}'],
    ['{"a":"x\u0000y"}', '{"a":1\u0000}', '{"a":"x"y"}', '{"a":{"b":"x{"a":1}', '{"a":"x{"a":"y"}'],
    ['{"a":3{0}', '{"a":3[0}'],
  ].flat(),
)("MemberFinder refuses %j", (text) => {
  expect(find(text)).toBeUndefined();
});

test("MemberFinder refuses an object that is nested too deeply, and nothing else that is nested", () => {
  const nested = (depth: number): string => `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`;
  expect(find(nested(30))).toEqual(JSON.parse(nested(30)));
  expect(find(nested(31))).toBeUndefined();
  expect(find(nested(1000))).toBeUndefined();
});

test("MemberFinder takes the last of two members with the same key", () => {
  expect(find('{"a":1,"type":2,"a":3}')).toEqual({ a: 3, type: 2 });
});

test("MemberFinder refuses what does not lie in its memory", () => {
  const text = Buffer.from('{"a":1}');
  expect(first.find(text, 0, text.length)).toBe(false);
});

test("MemberFinder finds what stands at the very end of its memory", () => {
  const text = '{"type":"user"}';
  memory.bytes.write(text, BYTES - text.length);
  expect(first.find(memory.bytes, BYTES - text.length, BYTES)).toBe(true);
  expect([first.startOf(1), first.endOf(1)]).toEqual([BYTES - 7, BYTES - 1]);
});

test("openMemberMemory() gives none where WebAssembly is not to be had, and refuses keys that are too long", () => {
  expect(() => openMemberMemory(1000, [["seventeen letters"]])).toThrow(RangeError);
  vi.stubGlobal("WebAssembly", undefined);
  expect(openMemberMemory(1000, [["a"]])).toBeUndefined();
});
