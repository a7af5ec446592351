import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replaceText } from "./replace-text.ts";

describe("replaceText()", () => {
  test.each([
    ["the only place", "a b c", "b", "x", false, { kind: "replaced", text: "a x c", count: 1 }],
    ["nothing that is not there", "a b c", "d", "x", false, { kind: "missing" }],
    ["nothing when several could be meant", "a b a", "a", "x", false, { kind: "ambiguous", count: 2 }],
    ["nothing when places overlap", "aaa", "aa", "x", false, { kind: "ambiguous", count: 2 }],
    ["every place", "a b a", "a", "x", true, { kind: "replaced", text: "x b x", count: 2 }],
    ["places that overlap from the left", "aaa", "aa", "x", true, { kind: "replaced", text: "xa", count: 1 }],
    ["without patterns", "a.c abc", "a.c", "$&$1", false, { kind: "replaced", text: "$&$1 abc", count: 1 }],
    ["with nothing", "a b c", " b", "", false, { kind: "replaced", text: "a c", count: 1 }],
    [
      "Windows lines",
      "a\r\nb\r\n",
      "a\nb",
      "x\ny",
      false,
      { kind: "replaced", text: "x\r\ny\r\n", count: 1 },
    ],
    ["mixed lines only exactly", "a\r\nb\nc", "a\nb", "x", false, { kind: "missing" }],
  ])("replaces %s", (_case, text, oldText, newText, all, result) => {
    expect(replaceText(text, { oldText, newText, all })).toEqual(result);
  });

  const part = fc.string({ unit: fc.constantFrom("a", "b", "$", "&", "\n", "é", "😀"), maxLength: 12 });
  const wanted = part.filter((text) => text !== "");

  test("changes the one place and nothing else", () => {
    fc.assert(
      fc.property(part, wanted, part, part, (before, oldText, after, newText) => {
        const text = `${before}${oldText}${after}`;
        fc.pre(text.indexOf(oldText) === text.lastIndexOf(oldText));
        expect(replaceText(text, { oldText, newText, all: false })).toEqual({
          kind: "replaced",
          text: `${before}${newText}${after}`,
          count: 1,
        });
      }),
    );
  });

  test("says missing or ambiguous exactly when there is not one place", () => {
    fc.assert(
      fc.property(part, wanted, part, (text, oldText, newText) => {
        const places = Array.from({ length: text.length }, (_, at) => text.startsWith(oldText, at));
        const count = places.filter(Boolean).length;
        const { kind } = replaceText(text, { oldText, newText, all: false });
        expect(kind).toBe(count === 0 ? "missing" : count === 1 ? "replaced" : "ambiguous");
      }),
    );
  });

  test("goes back where the new text was not there before", () => {
    fc.assert(
      fc.property(part, wanted, (text, oldText) => {
        const newText = "\u0001";
        const there = replaceText(text, { oldText, newText, all: true });
        fc.pre(there.kind === "replaced");
        const back = replaceText(there.text, { oldText: newText, newText: oldText, all: true });
        expect(back).toEqual({ kind: "replaced", text, count: there.count });
      }),
    );
  });
});
