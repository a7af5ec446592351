import fc from "fast-check";
import { expect, test } from "vitest";
import { beginningOf, continuationBytes, endOf, wholeCharacters } from "./whole-characters.ts";

const texts = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\n"), maxLength: 20 });

test("continuationBytes() and wholeCharacters() leave whole characters wherever a text is cut", () => {
  fc.assert(
    fc.property(texts, fc.nat(40), fc.nat(40), (text, a, b) => {
      const bytes = Buffer.from(text);
      const cut = bytes.subarray(Math.min(a, b), Math.max(a, b));
      const start = continuationBytes(cut);
      const shown = cut.toString("utf8", start, Math.max(start, wholeCharacters(cut)));
      expect(shown).not.toContain("\ufffd");
      expect(text).toContain(shown);
      expect(cut.length - Buffer.byteLength(shown)).toBeLessThanOrEqual(6);
    }),
  );
});

test.each([
  [[], 0, 0],
  [[0x80, 0x80, 0x80, 0x80, 0x80], 3, 5],
  [[0x80], 1, 1],
  [[0x61, 0xf0, 0x9f], 0, 1],
  [[0x61, 0xff], 0, 1],
])("of %j, %i bytes belong to a character before, %i are whole", (bytes, before, whole) => {
  const given = Uint8Array.from(bytes);
  expect([continuationBytes(given), wholeCharacters(given)]).toEqual([before, whole]);
});

test("beginningOf() and endOf() never keep half of a surrogate pair", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 25 }), (text, length) => {
      const [start, end] = [beginningOf(text, length), endOf(text, length)];
      expect([text.startsWith(start), text.endsWith(end)]).toEqual([true, true]);
      // Half of a pair becomes a question mark in UTF-8.
      for (const each of [start, end]) expect(Buffer.from(each).toString()).toBe(each);
      const least = Math.min(text.length, length - 1);
      expect(Math.min(start.length, end.length)).toBeGreaterThanOrEqual(least);
    }),
  );
});
