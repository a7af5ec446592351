import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { lastLinesOffset } from "./last-lines-offset.ts";

describe("lastLinesOffset()", () => {
  const tail = (text: string, lines: number): string => {
    const file = path.join(tempDir(), "output");
    fs.writeFileSync(file, text);
    return text.slice(lastLinesOffset(file, lines));
  };

  test.each([
    ["", 3, ""],
    ["one\n", 1, "one\n"],
    ["one\ntwo\nthree\n", 1, "three\n"],
    ["one\ntwo\nthree\n", 2, "two\nthree\n"],
    ["one\ntwo\nthree", 2, "two\nthree"],
    ["one\ntwo\n", 5, "one\ntwo\n"],
    ["\n\n\n", 2, "\n\n"],
  ])("of %j finds the last %i lines", (text, lines, expected) => {
    expect(tail(text, lines)).toBe(expected);
  });

  test("finds lines that are longer than a block, and begin or end at one", () => {
    const long = "x".repeat(65_535);
    const text = `${long}\n${long}\nend\n`;
    for (const lines of [1, 2, 3, 4])
      expect(tail(text, lines)).toBe(text.split("\n").slice(0, 3).slice(-lines).join("\n") + "\n");
  });

  test("begins at 0 of a file that is gone", () => {
    expect(lastLinesOffset(path.join(tempDir(), "gone"), 3)).toBe(0);
  });
});
