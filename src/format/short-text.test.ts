import { expect, test } from "vitest";
import { cutText, oneLine } from "./short-text.ts";

test("oneLine() leaves no line break, tab or escape", () => {
  expect(oneLine(" a\n\tb\r\n\u001b[31mc\u2028d\u0000 ")).toBe("a b [31mc d");
});

test.each([
  ["short", 5, "short"],
  ["longer", 4, "long… [2 characters cut]"],
  ["ab😀cd", 3, "ab… [4 characters cut]"],
  ["ab😀cd", 4, "ab😀… [2 characters cut]"],
])("cutText() of %j at %j is %j", (text, lengthMax, expected) => {
  expect(cutText(text, lengthMax)).toBe(expected);
});
