import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { ChatKey } from "./chat-key.ts";
import { watchKeys } from "./watch-keys.ts";

const newline: ChatKey = { kind: "text", text: "\n" };

const cases: [string, string, ChatKey[]][] = [
  ["a letter", "ü", [{ kind: "text", text: "ü" }]],
  ["a capital letter", "Ü", [{ kind: "text", text: "Ü" }]],
  ["Enter", "\r", [{ kind: "enter" }]],
  ["Alt+Enter", "\u001b\r", [newline]],
  ["Shift+Enter", "\u001b[13;2u", [newline]],
  ["Ctrl+J", "\n", [newline]],
  ["Ctrl+B", "\u0002", [{ kind: "background" }]],
  ["Ctrl+B twice in one piece", "\u0002\u0002", [{ kind: "background" }, { kind: "background" }]],
  ["Ctrl+C", "\u0003", [{ kind: "interrupt" }]],
  ["Ctrl+C behind letters", "ab\u0003", [{ kind: "text", text: "ab" }, { kind: "interrupt" }]],
  ["Ctrl+D", "\u0004", [{ kind: "end-of-input" }]],
  ["Escape", "\u001b", [{ kind: "escape" }]],
  ["Up", "\u001b[A", [{ kind: "move", move: "up" }]],
  ["Home", "\u001bOH", [{ kind: "move", move: "line-start" }]],
  ["Ctrl+E", "\u0005", [{ kind: "move", move: "line-end" }]],
  ["Alt+B", "\u001bb", [{ kind: "move", move: "word-left" }]],
  ["Ctrl+Right", "\u001b[1;5C", [{ kind: "move", move: "word-right" }]],
  ["Alt+Left", "\u001b[1;3D", [{ kind: "move", move: "word-left" }]],
  [
    "Backspace held",
    "\u007f\u007f",
    [
      { kind: "erase", what: "before" },
      { kind: "erase", what: "before" },
    ],
  ],
  ["Ctrl+H", "\b", [{ kind: "erase", what: "before" }]],
  ["Alt+Backspace", "\u001b\u007f", [{ kind: "erase", what: "word-before" }]],
  ["Delete", "\u001b[3~", [{ kind: "erase", what: "after" }]],
  ["Ctrl+W", "\u0017", [{ kind: "erase", what: "word-before" }]],
  ["Alt+D", "\u001bd", [{ kind: "erase", what: "word-after" }]],
  ["Tab", "\t", [{ kind: "complete" }]],
  ["Tab behind letters", "/re\t", [{ kind: "text", text: "/re" }, { kind: "complete" }]],
  ["Ctrl+_", "\u001f", [{ kind: "undo" }]],
  ["Ctrl+Y", "\u0019", [{ kind: "yank" }]],
  ["Ctrl+R", "\u0012", [{ kind: "search-history" }]],
  ["Ctrl+G", "\u0007", [{ kind: "external-editor" }]],
  ["Ctrl+O", "\u000f", [{ kind: "unfold" }]],
  ["Page up", "\u001b[5~", [{ kind: "page", by: -1 }]],
  ["a typed line", "one\rtwo\r", [{ kind: "text", text: "one\rtwo" }, { kind: "enter" }]],
  ["typed lines with a tab", "a\tb\n\n", [{ kind: "text", text: "a\tb" }, { kind: "enter" }]],
  [
    "a paste",
    "\u001b[200~a\r\u001b[31mb\u0003\r\u001b[201~",
    [{ kind: "text", text: "a\r\u001b[31mb\u0003\r" }],
  ],
];

async function keysOf(...pieces: (string | Buffer)[]): Promise<ChatKey[]> {
  const input = new PassThrough();
  const keys: ChatKey[] = [];
  const stop = watchKeys(input, (key) => keys.push(key));
  for (const piece of pieces) {
    input.write(piece);
    await new Promise(setImmediate);
  }
  // Behind an Escape that waits for what follows it.
  await expect.poll(() => keys.length).toBeGreaterThan(0);
  stop();
  return keys;
}

describe("watchKeys()", () => {
  test.each(cases)("reads %s", async (_, bytes, expected) => {
    expect(await keysOf(bytes)).toEqual(expected);
  });

  test.each([
    ["Alt+X", "\u001bx"],
    ["Ctrl+Q", "\u0011"],
    ["F5", "\u001b[15~"],
  ])("passes over %s", async (_, bytes) => {
    expect(await keysOf(bytes, "a")).toEqual([{ kind: "text", text: "a" }]);
  });

  test("joins what comes in pieces: a character, a key, a paste", async () => {
    const [first, second] = [Buffer.from("ü").subarray(0, 1), Buffer.from("ü").subarray(1)];
    expect(await keysOf(first, second)).toEqual([{ kind: "text", text: "ü" }]);
    expect(await keysOf("\u001b[", "A")).toEqual([{ kind: "move", move: "up" }]);
    expect(await keysOf("\u001b[20", "0~one\r", "two\u001b[2", "01~")).toEqual([
      { kind: "text", text: "one\rtwo" },
    ]);
  });
});
