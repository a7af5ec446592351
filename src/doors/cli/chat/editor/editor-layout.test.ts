import { describe, expect, test } from "vitest";
import { layOutEditor } from "./editor-layout.ts";

function layOut(text: string, cursor = text.length): unknown {
  const { rows, cursor: at } = layOutEditor({ text, cursor }, { columns: 6, rowsMax: 3 });
  return [rows, at.row, at.column];
}

describe("layOutEditor()", () => {
  test.each([
    ["", undefined, [[""], 0, 0]],
    ["abc", undefined, [["abc"], 0, 3]],
    ["abcdef", undefined, [["abcdef", ""], 1, 0]],
    ["abcdefg", 6, [["abcdef", "g"], 1, 0]],
    ["ab\ncd", 2, [["ab", "cd"], 0, 2]],
    ["日本語x", 3, [["日本語", "x"], 1, 0]],
    ["abcde日", 5, [["abcde", "日"], 1, 0]],
    ["\tx", 1, [["    x"], 0, 4]],
    ["a\nb\nc\nd\ne", undefined, [["c", "d", "e"], 2, 1]],
    ["a\nb\nc\nd\ne", 0, [["a", "b", "c"], 0, 0]],
    ["x\n".repeat(100), 121, [["x", "x", "x"], 2, 1]],
    ["x\n".repeat(100), undefined, [["x", "x", ""], 2, 0]],
  ] as const)("lays out %j with the cursor at %s", (text, cursor, expected) => {
    expect(layOut(text, cursor)).toEqual(expected);
  });
});
