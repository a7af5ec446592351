import { describe, expect, test } from "vitest";
import { truncationMark } from "./read-output.ts";
import { filterLines } from "./filter-lines.ts";

describe("filterLines()", () => {
  test("gives the lines that match, and what says that something is missing", () => {
    const text = `one\ntwo${truncationMark(1234)}three\nfour\n`;
    expect(filterLines(text, "o")).toBe("one\ntwo\n[output truncated: 1234 bytes]\nfour");
    expect(filterLines(text, "^t")).toBe("two\n[output truncated: 1234 bytes]\nthree");
    expect(filterLines(text, "")).toBe(text);
  });

  test.each([
    "(a+)+$",
    "(a|aa)+b",
    "(.*)*x(.*)*y(.*)*z",
    "([a-z]+)*\\d",
    "(?i)(a+){500}b|(a*){400}c",
    "(a{100}){100}",
    "[\\s\\S]{1000}b",
    "a".repeat(100_000),
    `${"(".repeat(2000)}a${")".repeat(2000)}`,
  ])("answers in a moment whatever is asked: %.40s", (expression) => {
    const text = `${"a".repeat(29_000)}\n${"x=1;y=2\n".repeat(100)}`;
    const from = performance.now();
    expect(["text", "task_refused"]).toContain(outcomeOf(() => filterLines(text, expression)));
    expect(performance.now() - from).toBeLessThan(4000);
  });

  test.each(["(", "a{2,1}", "(?=a)", "(a)\\1", "[z-a]", "*"])("refuses %s in words", (expression) => {
    expect(() => filterLines("text", expression)).toThrow(
      expect.objectContaining({ code: "task_refused", message: expect.stringContaining(`/${expression}/`) }),
    );
  });
});

function outcomeOf(filter: () => string): string {
  try {
    return typeof filter() === "string" ? "text" : "nothing";
  } catch (error) {
    return (error as { code: string }).code;
  }
}
