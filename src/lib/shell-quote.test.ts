import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellLine, shellQuote } from "./shell-quote.ts";

test("shellQuote() is read back unchanged by a shell", () => {
  const words = fc.array(
    fc.string({ unit: "grapheme" }).filter((word) => !word.includes("\0")),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(words, (given) => {
      const script = `printf '%s\\0' ${given.map(shellQuote).join(" ")}`;
      const read = execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" });
      expect(read.split("\0").slice(0, -1)).toEqual(given);
    }),
    { numRuns: 50 },
  );
});

test.each([
  [["printf", "%s|", "two words", "it's", "$HOME", "*", "~", "", "a=b"], "two words|it's|$HOME|*|~||a=b|"],
  [["echo", "-n", "x;y", "`z`"], "x;y `z`"],
])("shellLine() gives %j to the program as it is", (argv, printed) => {
  expect(execFileSync("/bin/sh", ["-c", shellLine(argv)], { encoding: "utf8" })).toBe(printed);
});

test.each(["A=b", "if", "time", "function"])("shellLine() takes %j for a program", (program) => {
  expect(shellLine([program, "x"])).toBe(`'${program}' x`);
});
