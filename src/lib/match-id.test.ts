import { describe, expect, test } from "vitest";
import { matchId, nearIds } from "./match-id.ts";

const match = (typed: string, ids: string[]): string[] => matchId(ids, typed, (id) => id);

describe("matchId()", () => {
  test.each([
    ["ab", ["ab", "abc", "AB"], ["ab", "AB"]],
    ["Ab", ["abc", "b", "aBd"], ["abc", "aBd"]],
    ["x", ["abc"], []],
    ["", ["abc", ""], [""]],
    ["", ["abc"], []],
  ])("takes %j of %j for %j", (typed, ids, expected) => {
    expect(match(typed, ids)).toEqual(expected);
  });
});

describe("nearIds()", () => {
  test("names the nearest first, each once, and no more than five", () => {
    const ids = ["abcdef12", "abcdxf12", "zzzzzz99", "abcdef12", "ABCDEG12"];
    expect(nearIds("abcdef", ids)).toEqual(["abcdef12", "abcdxf12", "ABCDEG12"]);
    expect(
      nearIds(
        "aaaaaa",
        Array.from({ length: 9 }, (_, n) => `aaaaab${n}`),
      ),
    ).toHaveLength(5);
  });

  test("takes nothing for near of which more than half is wrong", () => {
    expect([nearIds("job", ["b2b12t829"]), nearIds("b3kd", ["b1xx"])]).toEqual([[], []]);
    expect(nearIds("job", ["jab-1"])).toEqual(["jab-1"]);
  });

  test("takes nothing for near that shares no letter", () => {
    expect([nearIds("a", ["b"]), nearIds("ab", ["cd"]), nearIds("", ["a"])]).toEqual([[], [], []]);
  });
});
