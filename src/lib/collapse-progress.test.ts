import { expect, test } from "vitest";
import { collapseProgress } from "./collapse-progress.ts";

test.each([
  ["10%\r20%\r100%\ndone\n", "100%\ndone\n"],
  ["a\r\nb\r\n", "a\nb\n"],
  ["10%\r20%\r", "20%"],
  ["\rline", "line"],
  ["line\r\r\nnext", "line\nnext"],
  ["", ""],
  ["\r", ""],
  ["no progress", "no progress"],
])("collapseProgress() shows of %j what a terminal would", (text, shown) => {
  expect(collapseProgress(text)).toBe(shown);
});

test("collapseProgress() takes a megabyte of rewritten lines in its stride", () => {
  const from = performance.now();
  expect(collapseProgress("50%\r".repeat(300_000))).toBe("50%");
  expect(performance.now() - from).toBeLessThan(2000);
});
