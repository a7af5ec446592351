import type { Key } from "ink";
import { describe, expect, test } from "vitest";
import { readChatKeys, type ChatKey } from "./chat-key.ts";

const cases: [string, string, Partial<Key>, ChatKey[]][] = [
  ["a letter", "ü", {}, [{ kind: "text", text: "ü" }]],
  ["Enter", "", { return: true }, [{ kind: "enter" }]],
  ["Alt+Enter", "", { return: true, meta: true }, [{ kind: "text", text: "\n" }]],
  ["Ctrl+J", "j", { ctrl: true }, [{ kind: "text", text: "\n" }]],
  ["Ctrl+B", "b", { ctrl: true }, [{ kind: "background" }]],
  ["Ctrl+B twice in one piece", "\u0002\u0002", {}, [{ kind: "background" }, { kind: "background" }]],
  ["Ctrl+C", "c", { ctrl: true }, [{ kind: "interrupt" }]],
  ["Alt+B", "b", { meta: true }, [{ kind: "move", move: "word-left" }]],
  ["Ctrl+Right", "", { ctrl: true, rightArrow: true }, [{ kind: "move", move: "word-right" }]],
  ["Ctrl+W", "w", { ctrl: true }, [{ kind: "erase", what: "word-before" }]],
  ["a typed line", "one\rtwo\r", {}, [{ kind: "text", text: "one\rtwo" }, { kind: "enter" }]],
  ["a release", "a", { eventType: "release" }, []],
  ["an unknown key", "x", { meta: true }, []],
];

describe("readChatKeys()", () => {
  test.each(cases)("reads %s", (_, input, key, expected) => {
    expect(readChatKeys(input, key)).toEqual(expected);
  });
});
