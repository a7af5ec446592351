import { expect, test } from "vitest";
import { keysLine } from "./keys-line.ts";

test("keysLine() names fewer keys in a narrow window, and always the way out", () => {
  const keys = ["1 of 9", "↑ ↓ scroll", "← → others", "Esc closes"];
  expect([60, 40, 25, 12].map((columns) => keysLine(keys, columns))).toEqual([
    "1 of 9 · ↑ ↓ scroll · ← → others · Esc closes",
    "1 of 9 · ↑ ↓ scroll · Esc closes",
    "1 of 9 · Esc closes",
    "1 of 9 · Es…",
  ]);
  expect(keysLine(keys, 30, ["1 of 9", "← → others"])).toBe("↑ ↓ scroll · Esc closes");
});
