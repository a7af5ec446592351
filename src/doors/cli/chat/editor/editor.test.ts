import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatHistoryMax } from "../limits.ts";
import { graphemes } from "../../render/display-width.ts";
import { emptyEditor, eraseText, insertText, moveCursor, submitted, type Editor } from "./editor.ts";

function typed(...texts: string[]): Editor {
  return texts.reduce(insertText, emptyEditor(["first", "second"]));
}

describe("insertText()", () => {
  test("puts text at the cursor, without what a terminal would obey", () => {
    const editor = insertText(moveCursor(typed("ad"), "left"), "b\u001b[31mc\r\n");
    expect(editor).toEqual({ text: "abc\nd", cursor: 4, history: ["first", "second"] });
  });
});

describe("eraseText()", () => {
  test.each([
    ["before", "ab👩‍👩‍👧", "ab"],
    ["before", "e\u0301", ""],
    ["word-before", "git push  origin ", "git push  "],
    ["word-before", "größe", ""],
    ["line-before", "one\ntwo", "one\n"],
    ["before", "one\n", "one"],
    ["after", "end", "end"],
  ] as const)("takes what is %s of %j", (what, text, left) => {
    expect(eraseText(typed(text), what).text).toBe(left);
  });

  test("takes what is behind the cursor up to the end of the line", () => {
    const editor = moveCursor(moveCursor(typed("one two\nthree"), "up"), "word-left");
    expect(eraseText(editor, "line-after").text).toBe("one \nthree");
  });
});

describe("moveCursor()", () => {
  test("goes through lines to the same character, and stops at shorter ones", () => {
    const up = moveCursor(typed("a日本語\nx\nlonger"), "up");
    expect(up.cursor).toBe("a日本語\nx".length);
    expect(moveCursor(up, "up").cursor).toBe(1);
    expect(moveCursor(moveCursor(up, "up"), "down").cursor).toBe("a日本語\nx".length);
  });

  test("recalls earlier prompts and comes back to what was typed", () => {
    const once = moveCursor(typed("draft"), "up");
    const twice = moveCursor(once, "up");
    expect([once.text, twice.text, moveCursor(twice, "up").text]).toEqual(["second", "first", "first"]);
    expect(moveCursor(moveCursor(twice, "down"), "down")).toEqual(typed("draft"));
  });

  test("never stands inside a character, whatever is pressed", () => {
    const moves = fc.constantFrom(
      "left",
      "right",
      "word-left",
      "word-right",
      "line-start",
      "line-end",
      "up",
      "down",
    );
    const erasures = fc.constantFrom("before", "after", "word-before", "line-before", "line-after");
    const step = fc.oneof(
      moves.map((move) => (editor: Editor) => moveCursor(editor, move)),
      erasures.map((what) => (editor: Editor) => eraseText(editor, what)),
      fc
        .constantFrom("a", "é", "日", "👍🏽", "\n", "x y", "\t")
        .map((text) => (editor: Editor) => insertText(editor, text)),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const editor = steps.reduce((now, apply) => apply(now), emptyEditor(["日本\n👍🏽"]));
        const ends = new Set([0]);
        let end = 0;
        for (const piece of graphemes(editor.text)) ends.add((end += piece.length));
        expect(ends).toContain(editor.cursor);
      }),
    );
  });
});

describe("submitted()", () => {
  test("remembers the prompt, one said twice in a row once", () => {
    expect(submitted(typed("third"))).toEqual(emptyEditor(["first", "second", "third"]));
    expect(submitted(typed("second"))).toEqual(emptyEditor(["first", "second"]));
  });

  test("forgets the oldest prompts beyond a limit", () => {
    const history = Array.from({ length: chatHistoryMax }, (_, index) => `prompt ${index}`);
    const next = submitted({ ...emptyEditor(history), text: "newest" });
    expect(next).toEqual(emptyEditor([...history.slice(1), "newest"]));
  });
});
