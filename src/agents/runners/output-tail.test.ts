import fc from "fast-check";
import { expect, test } from "vitest";
import { OutputTail } from "./output-tail.ts";

test("OutputTail keeps the end, cut between characters, however the output comes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 7 }),
      (pieces, bytesMax, step) => {
        const tail = new OutputTail(bytesMax);
        const whole = Buffer.from(pieces.join(""));
        for (let at = 0; at < whole.length; at += step) tail.add(whole.subarray(at, at + step));
        const { text, isCut } = tail.read();
        expect(isCut).toBe(whole.length > bytesMax);
        expect(whole.toString().endsWith(text)).toBe(true);
        const bytes = Buffer.byteLength(text);
        expect(bytes).toBeLessThanOrEqual(bytesMax);
        // No more is lost than the part of one character.
        expect(bytes).toBeGreaterThan(Math.min(bytesMax, whole.length) - 4);
      },
    ),
  );
});
