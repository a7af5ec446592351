import { describe, expect, test } from "vitest";
import { ansiRuns, plainLine, plainState } from "./ansi.ts";

describe("ansiRuns()", () => {
  test("gives colours as classes and goes on with them in the next line", () => {
    const { runs, state } = ansiRuns("a\x1b[1;31mb\x1b[0mc\x1b[32m", plainState);
    expect(runs).toEqual([
      { text: "a", classes: "" },
      { text: "b", classes: "fg-1 sgr-1" },
      { text: "c", classes: "" },
    ]);
    expect(ansiRuns("green", state).runs).toEqual([{ text: "green", classes: "fg-2" }]);
  });

  test("takes 256 and true colours as the nearest of sixteen", () => {
    const classes = (codes: string): string => ansiRuns(`\x1b[${codes}mx`, plainState).runs[0]!.classes;
    expect(["38;5;196", "38;2;0;200;10", "48;5;21", "38;5;9", "38;5;240"].map(classes)).toEqual([
      "fg-1",
      "fg-2",
      "bg-4",
      "fg-9",
      "fg-8",
    ]);
  });

  test.each([
    ["a window's title", "\x1b]0;evil\x07text"],
    ["a link", "\x1b]8;;https://example.com\x1b\\te\x1b]8;;\x1b\\xt"],
    ["cursor moves", "\x1b[2J\x1b[10;10Htext\x1b[K"],
    ["controls", "te\x00\x08xt\x7f\x9b"],
    ["a progress line that was written over", "10%\r50%\rtext\r"],
  ])("leaves out %s", (_, line) => {
    expect(
      ansiRuns(line, plainState)
        .runs.map(({ text }) => text)
        .join(""),
    ).toBe("text");
    expect(plainLine(line)).toBe("text");
  });
});
