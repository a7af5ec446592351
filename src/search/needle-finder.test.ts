import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { NeedleFinder } from "./needle-finder.ts";

function linesWith(content: string, ...words: string[]): string[] {
  return foundLines(content, { words });
}

function foundLines(
  content: string,
  { words, lineBytesMax }: { words: string[]; lineBytesMax?: number },
): string[] {
  const file = path.join(tempDir(), "lines");
  fs.writeFileSync(file, content);
  const fd = fs.openSync(file, "r");
  const found: string[] = [];
  try {
    const needles = words.map((word) => ({ word: word.replace("*", ""), isPrefix: word.endsWith("*") }));
    new NeedleFinder(needles).visitLines(
      fd,
      { from: 0, to: content.length, ...(lineBytesMax !== undefined && { lineBytesMax }) },
      (bytes, start, end, { offset, length }) => {
        const line = bytes.toString("latin1", start, end);
        expect(content.slice(offset, offset + length)).toBe(line);
        found.push(line);
      },
    );
  } finally {
    fs.closeSync(fd);
  }
  return found;
}

test("NeedleFinder finds words in either case, after escapes and at humps, not inside other words", () => {
  const lines = [
    "a Quiz",
    "QUIZ",
    "aquiz",
    "quizzes",
    "myQuiz",
    "quizMaster",
    "x\\nquiz y",
    "\\u00e9quiz",
    "none",
    "quiz",
  ];
  expect(linesWith(lines.join("\n"), "quiz")).toEqual(
    lines.filter((line) => !["aquiz", "quizzes", "none"].includes(line)),
  );
  expect(linesWith(lines.join("\n"), "quiz*")).toContain("quizzes");
});

test("NeedleFinder visits a line once, whatever it holds, in order", () => {
  expect(linesWith("b a\na b\nc\na a b\n", "a", "b")).toEqual(["b a", "a b", "a a b"]);
});

test("NeedleFinder finds what stands across its chunks and in lines longer than them", () => {
  const long = `${"x ".repeat(3_000_000)}needle ${"y ".repeat(3_000_000)}`;
  const edge = `${"z".repeat((1 << 20) - 3)} needle`;
  expect(linesWith(`${long}\nshort\n${edge}\nneedle\n`, "needle").map(({ length }) => length)).toEqual([
    long.length,
    edge.length,
    6,
  ]);
});

test("NeedleFinder passes over a line that is too long, and goes on behind it", () => {
  const tooLong = `needle ${"x ".repeat(4 << 20)}needle`;
  const content = `needle 1\n${tooLong}\nneedle 2\n${tooLong}`;
  expect(foundLines(content, { words: ["needle"], lineBytesMax: 6 << 20 })).toEqual(["needle 1", "needle 2"]);
});
