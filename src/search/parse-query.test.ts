import { describe, expect, test } from "vitest";
import { needlesOf, parseQuery, toFts } from "./parse-query.ts";

describe("parseQuery()", () => {
  test.for<[string, string]>([
    ["foo bar", '("foo" AND "bar")'],
    ["foo AND bar", '("foo" AND "bar")'],
    ['"task output"', 'parts : "task output"'],
    ["taskOutput", 'parts : "task output"'],
    ["task*", '"task" *'],
    ["parseTa*", 'parts : "parse ta" *'],
    ["a OR b c", '("a" OR ("b" AND "c"))'],
    ["(a OR b) c", '(("a" OR "b") AND "c")'],
    ["a NOT b -c", '("a" NOT "b" NOT "c")'],
    ['a -"b c"', '("a" NOT parts : "b c")'],
    ["--json", '"json"'],
    ["src/list-sessions.ts", 'parts : "src list sessions ts"'],
    ["漢字", 'parts : "漢 字"'],
    ['"unfinished phrase', 'parts : "unfinished phrase"'],
    [")) a ((", '"a"'],
    ["a — b", '("a" AND "b")'],
    ["or OR", '"or"'],
  ])("reads %j", ([text, fts]) => {
    expect(toFts(parseQuery(text))).toBe(fts);
  });

  test.for(["", "  ", "-a", "NOT a", "()", "— …", "OR"])("refuses %j", (text) => {
    expect(() => parseQuery(text)).toThrow(expect.objectContaining({ code: "query_invalid" }) as Error);
  });

  test("is not lost in parentheses", () => {
    expect(toFts(parseQuery(`${"(".repeat(999)}a${")".repeat(999)}`))).toBe('"a"');
    expect(() => parseQuery("(".repeat(2001))).toThrow("at most 2000");
  });
});

describe("needlesOf()", () => {
  test.for<[string, string[] | undefined]>([
    ["a longest word", ["longest"]],
    ["one OR other", ["one", "other"]],
    ["漢字 ascii", ["ascii"]],
    ["漢字 OR ascii", undefined],
    ["größe", undefined],
  ])("of %j", ([text, words]) => {
    expect(needlesOf(parseQuery(text))?.map(({ word }) => word)).toEqual(words);
  });
});
