import { describe, expect, test } from "vitest";
import { emptyEditor, insertText, moveCursor } from "../editor/editor.ts";
import type { ChatKey } from "../editor/chat-key.ts";
import { emptyThread, initialChat, type ChatState } from "./chat-state.ts";
import { takeChoice, wordAt } from "./completion.ts";
import { pressKey } from "./press-key.ts";
import { reduceChat } from "./reduce-chat.ts";

const begun = initialChat(emptyThread("one"), { history: ["first /x", "second"] });
const typed = (text: string): ChatKey => ({ kind: "text", text });

function press(state: ChatState, ...keys: (ChatKey | "complete" | "escape" | "enter")[]): ChatState {
  return keys.reduce<ChatState>(
    (now, key) => pressKey(now, typeof key === "string" ? { kind: key } : key, 0).state,
    state,
  );
}

describe("wordAt()", () => {
  test.each([
    ["/", { kind: "command", typed: "" }],
    ["/re", { kind: "command", typed: "re" }],
    ["/resume ab", { kind: "session", typed: "ab" }],
    ["look at @src/a", { kind: "file", typed: "src/a" }],
    ["@", { kind: "file", typed: "" }],
    ["one\n@b", { kind: "file", typed: "b" }],
    ["me@example", undefined],
    ["say /re", undefined],
    ["/model x", undefined],
    ["", undefined],
  ] as const)("finds in %j what can be completed", (text, word) => {
    expect(wordAt(insertText(emptyEditor([]), text))).toEqual(word);
  });
});

describe("takeChoice()", () => {
  test("replaces what was typed, and adds no second space", () => {
    const choices = [{ text: "src/app.ts", hint: "" }];
    const word = { kind: "file", typed: "ap" } as const;
    const editor = moveCursor(insertText(emptyEditor([]), "see @ap now"), "word-left");
    const back = moveCursor(editor, "left");
    expect(takeChoice(back, { word, choices, selected: 0 })).toMatchObject({ text: "see @src/app.ts now" });
    expect(takeChoice(insertText(emptyEditor([]), "@ap"), { word, choices, selected: 0 }).text).toBe(
      "@src/app.ts ",
    );
  });
});

describe("pressKey() with something to complete", () => {
  test("offers commands at once; arrows choose, Tab takes, Escape puts it away", () => {
    const offered = press(begun, typed("/"));
    expect(offered.completion?.choices.map(({ text }) => text)).toContain("permissions");
    const chosen = press(offered, { kind: "move", move: "down" }, "complete");
    expect([chosen.editor.text, chosen.completion]).toEqual(["/background ", undefined]);
    expect(press(offered, "escape").completion).toBeUndefined();
    // Put away, an arrow goes through earlier prompts again.
    expect(press(offered, "escape", { kind: "move", move: "up" }).editor.text).toBe("second");
  });

  test("asks for files, keeps what it had until they are there, and drops what comes too late", () => {
    const { state, intent } = pressKey(begun, typed("@a"), 0);
    const word = { kind: "file", typed: "a" } as const;
    expect(intent).toEqual({ kind: "complete", word });
    const found = reduceChat(state, { kind: "completed", word, choices: [{ text: "a.ts", hint: "" }] });
    const more = press(found, typed("b"));
    expect(more.completion).toMatchObject({ word: { typed: "ab" }, choices: [{ text: "a.ts" }] });
    expect(reduceChat(more, { kind: "completed", word, choices: [] })).toBe(more);
    expect(press(more, "enter").completion).toBeUndefined();
  });
});
