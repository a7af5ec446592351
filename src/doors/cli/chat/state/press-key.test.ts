import { describe, expect, test } from "vitest";
import { chatPromptLengthMax } from "../limits.ts";
import type { ChatKey } from "../editor/chat-key.ts";
import { insertText } from "../editor/editor.ts";
import { emptyThread, initialChat, type ChatState, type ChatTask, type Thread } from "./chat-state.ts";
import type { ChatIntent } from "./chat-intent.ts";
import { pressKey } from "./press-key.ts";

const begun = chatWith({});
const running = chatWith({ query: { startedAtMs: 0, text: "", calls: [] } });
const request = { toolUseId: "t1", tool: "Bash", input: {}, title: "run ls" };

function chatWith(thread: Partial<Thread>): ChatState {
  return initialChat({ ...emptyThread("one"), ...thread }, { history: [] });
}

function task(id: string): ChatTask {
  return { id, label: "x", status: "running", startedAt: "", needsInput: false };
}

// Keys at moments: a number moves the clock.
function press(
  state: ChatState,
  ...keys: (ChatKey | ChatKey["kind"] | number)[]
): { state: ChatState; intents: ChatIntent[] } {
  let now = 1000;
  const intents: ChatIntent[] = [];
  for (const key of keys) {
    if (typeof key === "number") {
      now += key;
      continue;
    }
    const pressed = pressKey(state, typeof key === "string" ? ({ kind: key } as ChatKey) : key, now);
    state = pressed.state;
    if (pressed.intent) intents.push(pressed.intent);
  }
  return { state, intents };
}

const text = (typed: string): ChatKey => ({ kind: "text", text: typed });

describe("pressKey() in the prompt", () => {
  test("sends what was typed, and tells commands from what is said", () => {
    expect(press(begun, text(" hello "), "enter").intents).toEqual([{ kind: "prompt", text: "hello" }]);
    expect(press(begun, text("/resume ab"), "enter").intents).toEqual([
      { kind: "complete", word: { kind: "session", typed: "ab" } },
      { kind: "command", command: { name: "resume", argument: "ab" } },
    ]);
    expect(press(begun, text("/taks"), "enter").intents).toEqual([
      { kind: "command", command: { name: "unknown", typed: "taks", near: "tasks" } },
    ]);
    expect(press(begun, text("/etc/hosts is empty"), "enter").intents).toEqual([
      { kind: "prompt", text: "/etc/hosts is empty" },
    ]);
    expect(press(begun, text("  "), "enter").intents).toEqual([]);
  });

  test("goes on in the next line behind a backslash", () => {
    expect(press(begun, text("one\\"), "enter", text("two"), "enter").intents).toEqual([
      { kind: "prompt", text: "one\ntwo" },
    ]);
  });

  test("refuses what is too long for a prompt, and says so", () => {
    const pasted = press(begun, text("x".repeat(chatPromptLengthMax)), text("y"));
    expect(pasted.intents).toEqual([{ kind: "too-long" }]);
    expect(pasted.state.editor.text.length).toBe(chatPromptLengthMax);
  });

  test("leaves on Ctrl+D only when nothing is typed", () => {
    expect(press(begun, "end-of-input").intents).toEqual([{ kind: "exit" }]);
    expect(press(begun, text("a"), "end-of-input").intents).toEqual([]);
  });
});

describe("pressKey() on Ctrl+C", () => {
  test("interrupts the query, and leaves when it is pressed again within a second", () => {
    expect(press(running, "interrupt").intents).toEqual([{ kind: "interrupt" }]);
    expect(press(running, "interrupt", 900, "interrupt").intents).toEqual([
      { kind: "interrupt" },
      { kind: "exit" },
    ]);
    expect(press(running, "interrupt", 1100, "interrupt").intents).toEqual([
      { kind: "interrupt" },
      { kind: "interrupt" },
    ]);
  });

  test("empties the prompt first, and another key between takes it back", () => {
    const once = press({ ...begun, editor: insertText(begun.editor, "abc") }, "interrupt");
    expect([once.state.editor.text, once.intents]).toEqual(["", []]);
    expect(press(once.state, text("x"), "interrupt").intents).toEqual([]);
  });

  test("closes what lies over the conversation", () => {
    const { state, intents } = press({ ...running, overlay: { kind: "tasks", selected: 0 } }, "interrupt");
    expect([state.overlay, intents]).toEqual([undefined, []]);
  });
});

describe("pressKey() on Ctrl+B", () => {
  test("backgrounds the query when it is pressed twice", () => {
    expect(press(running, "background").intents).toEqual([]);
    expect(press(running, "background", 1900, "background").intents).toEqual([{ kind: "background" }]);
    expect(press(running, "background", 2100, "background").intents).toEqual([]);
    expect(press(running, "background", text("x"), "background").intents).toEqual([]);
  });

  test("only moves the cursor while no query runs", () => {
    const { state, intents } = press(begun, text("ab"), "background", "background");
    expect([state.editor.cursor, intents]).toEqual([0, []]);
  });
});

describe("pressKey() at a question", () => {
  test.each([
    [text("y"), "yes"],
    [text("A"), "always"],
    [text("n"), "no"],
    [{ kind: "escape" }, "no"],
  ] as const)("answers on %j", (key, answer) => {
    const asked = chatWith({ ...running.threads["one"], asked: [request] });
    expect(press(asked, key).intents).toEqual([{ kind: "answer", toolUseId: "t1", answer }]);
  });

  test("is answered by no word that is pasted", () => {
    const asked = chatWith({ asked: [request] });
    for (const word of ["yes", "constructor", "valueOf"])
      expect(press(asked, text(word)).intents).toEqual([]);
  });

  test("types into a prompt that is half written, and takes no other key for an answer", () => {
    const asked = chatWith({ ...running.threads["one"], asked: [request] });
    const typing = { ...asked, editor: insertText(asked.editor, "ma") };
    expect(press(typing, text("y")).state.editor.text).toBe("may");
    expect(press(asked, "enter", text("x"), text("y")).intents).toEqual([]);
  });
});

describe("pressKey() in a list", () => {
  const list: ChatState = {
    ...begun,
    tasks: [task("b1"), task("b2")],
    overlay: { kind: "tasks", selected: 0 },
  };
  const down: ChatKey = { kind: "move", move: "down" };

  test("looks at or stops what is chosen, and stays on the list", () => {
    expect(press(list, down, down, "enter").intents).toEqual([{ kind: "look", task: task("b2") }]);
    expect(press(list, text("s")).intents).toEqual([{ kind: "stop", task: task("b1") }]);
    expect(press({ ...list, tasks: [task("b1")] }, down, "enter").intents).toEqual([
      { kind: "look", task: task("b1") },
    ]);
    expect(press({ ...list, tasks: [] }, down, "enter", text("s")).intents).toEqual([]);
  });

  test("is closed by Escape, and a look goes back to it", () => {
    expect(press(list, "escape").state).not.toHaveProperty("overlay");
    const look: ChatState = { ...list, overlay: { kind: "look", task: task("b2"), lines: [], selected: 1 } };
    expect(press(look, "enter").state.overlay).toEqual({ kind: "tasks", selected: 1 });
    expect(press(look, text("s")).intents).toEqual([{ kind: "stop", task: task("b2") }]);
  });

  test("answers the question of a task that is looked at, and only where there is one", () => {
    const asking = {
      ...task("a1"),
      needsInput: true,
      question: { requestId: "r1", toolUseId: "t1", tool: "Bash", title: "Run make", since: "now" },
    };
    const look = (each: ChatTask): ChatState => ({
      ...list,
      overlay: { kind: "look", task: each, lines: [], selected: 0 },
    });
    expect(press(look(asking), text("a")).intents).toEqual([
      { kind: "answer-task", task: asking, answer: "always" },
    ]);
    expect(press(look(task("b1")), text("y")).state.overlay).toEqual({ kind: "tasks", selected: 0 });
  });

  test("resumes the session that is chosen", () => {
    const sessions = ["a", "b"].map((id) => ({ id, title: id, updatedAt: "" }));
    const state: ChatState = { ...begun, overlay: { kind: "sessions", selected: 0, sessions } };
    expect(press(state, down, "enter").intents).toEqual([{ kind: "resume", sessionId: "b" }]);
  });
});
