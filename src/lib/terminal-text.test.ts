import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { terminalJson, terminalLine, terminalText } from "./terminal-text.ts";

describe("terminalText()", () => {
  const cases: [title: string, text: string, shown: string][] = [
    ["keeps plain text, newlines and tabs", "a\tb\nc", "a\tb\nc"],
    ["keeps letters of every script", "naïve Ωμέγα 日本語 עברית", "naïve Ωμέγα 日本語 עברית"],
    ["keeps an emoji joined of several", "👩‍🚀 ok", "👩‍🚀 ok"],
    ["keeps an emoji with its colour selector", "❤️", "❤️"],
    ["strips colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["strips cursor movement and erasing", "shown\u001b[2K\u001b[1Ghidden", "shownhidden"],
    ["strips a private CSI", "\u001b[?1049h\u001b[>4;2mx", "x"],
    ["strips a CSI that never ends", "x\u001b[12;", "x"],
    ["strips a window title", "\u001b]0;owned\u0007x", "x"],
    ["strips a link and keeps its text", "\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["strips a clipboard write", "\u001b]52;c;ZXZpbA==\u0007x", "x"],
    ["strips device control strings", "\u001bP+q544e\u001b\\x", "x"],
    ["shows what follows a string that never ends", "\u001b]0;rest\nof it", "0;rest\nof it"],
    ["strips the one-byte forms", "\u009b31mred\u009d0;title\u009cx\u0090q\u009cy", "redxy"],
    ["strips ESC with a final byte", "\u001bcreset\u001b(0q\u001b7", "resetq"],
    ["strips BEL, backspace, NUL and DEL", "a\u0007b\u0008c\u0000d\u007fe", "abcde"],
    ["turns carriage returns into newlines", "10%\r20%\r\ndone", "10%\n20%\ndone"],
    ["turns line separators into newlines", "a\u2028b\u2029c", "a\nb\nc"],
    ["strips direction overrides", "user\u202e nimda\u202c \u2066x\u2069\u200f", "user nimda x"],
    [
      "strips zero-width characters inside words",
      "pass\u200bword\ufeff \u2060admin\u200d\u200c",
      "password admin",
    ],
    ["strips tag characters", "hi\u{e0041}\u{e007f}!", "hi!"],
    ["strips soft hyphens and fillers", "a\u00adb\u3164c", "abc"],
    ["leaves nothing of a sequence inside a sequence", "\u001b[\u001b[31m31mx", "31mx"],
  ];
  test.each(cases)("%s", (_, text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });

  test("leaves nothing that a terminal obeys, whatever the text", () => {
    const nasty = fc.constantFrom(
      "\u001b",
      "[",
      "]",
      "P",
      "\u0007",
      "\\",
      "\u009b",
      "\u009d",
      "\u009c",
      ";",
      "m",
      "\n",
      "\u202e",
    );
    const text = fc.string({
      unit: fc.oneof(nasty, fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
      maxLength: 80,
    });
    fc.assert(
      fc.property(text, (value) => {
        expect(terminalText(value)).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
      { numRuns: 2000 },
    );
  });

  test("takes time in proportion to the text when sequences never end", () => {
    for (const unit of ["\u001b]", "\u009d", "\u001b[0", "\u001b", "\u001b ", "\u0090a"]) {
      const startedAt = performance.now();
      terminalText(unit.repeat(500_000));
      expect(performance.now() - startedAt).toBeLessThan(2000);
    }
  });
});

describe("terminalLine()", () => {
  test("puts everything on one line", () => {
    expect(terminalLine("  a\n\n\tb\u001b[31m\u0007 c\r\n")).toBe("a b c");
  });
});

describe("terminalJson()", () => {
  test("keeps the value and leaves no character that a terminal obeys", () => {
    const value = { text: "\u001b[31m\u009b\u202e\u200b\u2028\u{e0041}é日" };
    const json = terminalJson(JSON.stringify(value));
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toBe(String.raw`{"text":"\u001b[31m\u009b\u202e\u200b\u2028\udb40\udc41é日"}`);
  });
});
