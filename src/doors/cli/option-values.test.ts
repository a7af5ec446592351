import { describe, expect, test } from "vitest";
import { parseCount, parseSince, parseUntil } from "./option-values.ts";

describe("parseCount()", () => {
  test("reads whole numbers above zero", () => {
    expect([parseCount("1"), parseCount("200")]).toEqual([1, 200]);
  });
  test.each(["0", "-1", "1.5", "1e3", "", "ten", "99999999999999999999"])("refuses %j", (text) => {
    expect(() => parseCount(text)).toThrow(RangeError);
  });
});

describe("parseSince() and parseUntil()", () => {
  test("take a day from its first to its last millisecond, on this machine's clock", () => {
    expect(parseSince("2026-02-28")).toEqual(new Date(2026, 1, 28));
    expect(parseUntil("2026-02-28")).toEqual(new Date(2026, 1, 28, 23, 59, 59, 999));
  });

  test("take a moment as it is", () => {
    expect(parseSince("2026-02-28T10:30:00Z")).toEqual(new Date("2026-02-28T10:30:00Z"));
    expect(parseUntil("2026-02-28 10:30")).toEqual(new Date(2026, 1, 28, 10, 30));
  });

  test("count an age back from now", () => {
    const ageMs = Date.now() - parseSince("2h").getTime();
    expect(Math.round(ageMs / 60_000)).toBe(120);
  });

  test.each(["yesterday", "2026-02-30", "2026", "12", "-3d", "2026-13-01T10:00", ""])("refuse %j", (text) => {
    expect(() => parseSince(text)).toThrow(/It must be a day/);
  });
});
