import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellQuote } from "./shell-quote.ts";

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
