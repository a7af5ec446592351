import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleSession } from "../../../test/support/index.ts";
import { rejectionReason } from "./rejection.ts";

test.each([
  ["nothing but NUL", "\0\0\0\0", "nul-bytes"],
  ["NUL inside a value", '{"type":"us\0er"}', "nul-bytes"],
  ["two lines without a newline between them", '{"type":"a"}{"type":"b"}', "glued"],
  ["two lines with a space between them", '{"type":"a"} {"type":"b"}', "glued"],
  ["a whole line and the start of another", '{"type":"a"}{"ty', "glued"],
  ["words", "hello", "not-json"],
  ["an object with a hole", '{"type":,"a":1}', "not-json"],
  ["an object with something behind it", '{"type":"a"} x', "not-json"],
  ["the tail of a line", 'er","message":{}}', "not-json"],
  ["a torn line with another one stuck to it", '{"type":"us{"type":"user"}', "not-json"],
  ["a wrong escape in the middle", '{"type":"\\x","a":1}', "not-json"],
  ["a number", "42", "not-an-object"],
  ["null", "null", "not-an-object"],
  ["an array", "[1]", "not-an-object"],
  ["no type", '{"a":1}', "no-type"],
  ["a type that is no text", '{"type":1}', "no-type"],
  ["no type, behind a byte order mark", '\uFEFF{"a":1}', "no-type"],
])("rejectionReason() knows %s", (_case, line, reason) => {
  expect(rejectionReason(Buffer.from(line))).toBe(reason);
});

const samples = sampleSession().entries.map((entry) => Buffer.from(JSON.stringify(entry)));

test("rejectionReason() calls every proper beginning of a real line torn", () => {
  const others = [];
  for (const line of samples) {
    for (let length = 1; length < line.length; length++) {
      const beginning = line.subarray(0, length);
      if (rejectionReason(beginning) !== "torn") others.push(beginning.toString());
    }
  }
  expect(others).toEqual([]);
});

test("rejectionReason() calls every proper beginning of any object torn", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(objects, fc.nat(), (object, cut) => {
      const line = Buffer.from(JSON.stringify({ type: "x", ...object }));
      expect(rejectionReason(line.subarray(0, 1 + (cut % (line.length - 1))))).toBe("torn");
    }),
    { numRuns: 500 },
  );
});
