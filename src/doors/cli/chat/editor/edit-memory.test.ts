import { describe, expect, test } from "vitest";
import { emptyThread, initialChat, type ChatState } from "../state/chat-state.ts";
import { pressKey } from "../state/press-key.ts";
import { editsUndoneMax } from "../limits.ts";
import type { ChatKey } from "./chat-key.ts";

const begun = initialChat(emptyThread("one"), { history: ["build it", "test it", "build it again"] });
const undo: ChatKey = { kind: "undo" };
const cut: ChatKey = { kind: "erase", what: "word-before" };

function press(state: ChatState, ...keys: (ChatKey | string)[]): ChatState {
  const pressed = keys.flatMap((key) =>
    typeof key === "string" ? key.split("").map((text): ChatKey => ({ kind: "text", text })) : [key],
  );
  return pressed.reduce((now, key) => pressKey(now, key, 0).state, state);
}

describe("undo", () => {
  test("takes words back, not letters, and every other change for itself", () => {
    const typed = press(begun, "one two", cut, { kind: "text", text: "pasted text" });
    const steps = [typed];
    for (let count = 0; count < 5; count++) steps.push(press(steps.at(-1)!, undo));
    expect(steps.map(({ editor }) => editor.text)).toEqual([
      "one pasted text",
      "one ",
      "one two",
      "one ",
      "",
      "",
    ]);
  });

  test("brings back a prompt that Ctrl+C emptied, and keeps a limit of changes", () => {
    expect(press(begun, "draft", { kind: "interrupt" }, undo).editor.text).toBe("draft");
    expect(press(begun, "a ".repeat(editsUndoneMax * 2)).edits.undo).toHaveLength(editsUndoneMax);
  });
});

describe("yank", () => {
  test("puts in again what was cut out last", () => {
    const yank: ChatKey = { kind: "yank" };
    expect(press(begun, "git push", cut, yank, yank).editor.text).toBe("git pushpush");
    const after = press(
      begun,
      "one two",
      { kind: "move", move: "line-start" },
      { kind: "erase", what: "word-after" },
    );
    expect([after.editor.text, press(after, { kind: "move", move: "line-end" }, yank).editor.text]).toEqual([
      " two",
      " twoone",
    ]);
    expect(press(begun, "ab", { kind: "erase", what: "before" }, yank).editor.text).toBe("a");
  });
});

describe("the search of earlier prompts", () => {
  const search: ChatKey = { kind: "search-history" };

  test("finds the newest first, goes to older ones, and takes one into the prompt", () => {
    const found = press(begun, "draft", search, "BUILD");
    expect(found.overlay).toEqual({ kind: "history", query: "BUILD", selected: 0 });
    expect(press(found, { kind: "enter" }).editor.text).toBe("build it again");
    const older = press(found, search, { kind: "enter" });
    expect([older.editor.text, older.overlay]).toEqual(["build it", undefined]);
    expect(press(older, undo).editor.text).toBe("draft");
  });

  test("leaves the prompt alone when it is closed or finds nothing", () => {
    expect(press(begun, "draft", search, "x", { kind: "escape" }).editor.text).toBe("draft");
    expect(press(begun, search, "nothing", { kind: "enter" }).overlay).toMatchObject({ query: "nothing" });
    const erased = press(begun, search, "bx", { kind: "erase", what: "before" });
    expect(erased.overlay).toMatchObject({ query: "b" });
  });
});
