import { describe, expect, test } from "vitest";
import { wordsOf } from "./index-form.ts";

describe("wordsOf()", () => {
  test.for<[string, string[], string[]]>([
    ["parseTaskOutput", ["parse", "task", "output"], ["parsetaskoutput"]],
    ["parse_task-output", ["parse", "task", "output"], []],
    ["HTTPServer v2", ["http", "server", "v2"], ["httpserver"]],
    ["base64Encode SHA256 3F2A", ["base64", "encode", "sha256", "3f2a"], ["base64encode"]],
    ["src/store/list-sessions.ts:12", ["src", "store", "list", "sessions", "ts", "12"], []],
    ["a\u00a0b “c” d—e", ["a", "b", "c", "d", "e"], []],
    ["Größe ÄrgerÜber", ["größe", "ärger", "über"], ["ärgerüber"]],
    ["e\u0301tude É", ["étude", "é"], []],
    ["漢字テスト ok 한국", ["漢", "字", "テ", "ス", "ト", "ok", "한", "국"], []],
    ["done 🎉!", ["done", "🎉"], []],
    ["ΟΔΟΣ οδός. Σ ς", ["οδοσ", "οδόσ", "σ", "σ"], []],
    [
      "grüßeAusB.parseHTTPRequest\nfooBar",
      ["grüße", "aus", "b", "parse", "http", "request", "foo", "bar"],
      ["grüßeausb", "parsehttprequest", "foobar"],
    ],
    ["half a \ud83dpair \ude00cut", ["half", "a", "pair", "cut"], []],
    ["", [], []],
  ])("cuts %j", ([text, parts, whole]) => {
    expect(wordsOf(text)).toEqual({ parts, whole });
  });

  test("drops runs so long that they are data, and keeps what stands around them", () => {
    const data = "aB3+/".repeat(200);
    expect(wordsOf(`before ${data}= after`).parts).toEqual(["before", "after"]);
    const long = "x".repeat(511);
    expect(wordsOf(`before ${long} after`).parts).toEqual(["before", long, "after"]);
  });
});
