import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../render/display-width.ts";
import { makeStyle } from "../../render/style.ts";
import { insertText } from "../editor/editor.ts";
import { emptyThread, initialChat, type ChatState, type Overlay, type Thread } from "../state/chat-state.ts";
import { screenView } from "./screen-lines.ts";

const style = makeStyle({ hasColor: false });
const NOW = 100_000;

function lines(state: ChatState, { columns = 60, rows = 24 } = {}): string[] {
  return screenView(state, { columns, rows, style, nowMs: NOW }).lines;
}

function chatWith(thread: Partial<Thread>, rest: Partial<ChatState> = {}): ChatState {
  return { ...initialChat({ ...emptyThread("one"), ...thread }, { history: [] }), ...rest };
}

const task = (id: string, needsInput = false) => ({
  id,
  label: "npm run \u001b[31mdev",
  status: "running",
  startedAt: new Date(NOW - 120_000).toISOString(),
  needsInput,
});
const call = {
  kind: "call",
  toolUseId: "t",
  tool: { kind: "tool", name: "Bash", detail: "make\nall" },
} as const;

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

describe("screenView()", () => {
  test("begins with a prompt and where to get help", () => {
    const rule = "─".repeat(60);
    const { lines: shown, cursor } = screenView(chatWith({}), { columns: 60, rows: 24, style, nowMs: NOW });
    expect(shown).toEqual([rule, "❯ Ask anything. /help shows keys and commands", rule]);
    expect(cursor).toEqual({ x: 2, y: 1 });
  });

  test("shows a query with its answer so far, its tools, plan, questions and tasks", () => {
    const state = chatWith(
      {
        query: { startedAtMs: NOW - 12_000, text: "So\u0007 far", calls: [call] },
        todos: [
          { content: "Look", status: "completed" },
          { content: "Build", status: "in_progress", activeForm: "Building" },
          { content: "Test", status: "pending" },
        ],
        queued: ["and then?"],
        asked: [{ toolUseId: "t", tool: "Bash", input: { command: "make all" }, title: "Run a command" }],
      },
      { tasks: [task("b1"), task("s2", true)] },
    );
    expect(lines(state)).toEqual([
      "",
      "  So far",
      "● Bash  make all",
      "",
      "✻ Working… 12s · Ctrl+C interrupts",
      "To do: 1 of 3 done",
      "  ▸ Building",
      "  □ Test",
      "  queued: and then?",
      "? May Bash do this?",
      "    make all",
      "  y allow · n deny · a always allow this command",
      "─".repeat(60),
      "❯ Say more; the agent gets it at its next turn",
      "─".repeat(60),
      "⚙ 2 · b1 npm run dev · s2 needs input",
    ]);
  });

  test("shows what an edit would change, and what a task in the background asks", () => {
    const input = { file_path: "/a.ts", old_string: "one\ntwo", new_string: "one\n2" };
    const request = { toolUseId: "t", tool: "Edit", input, title: "Edit /a.ts" };
    const asked = ["    /a.ts", "     one", "    -two", "    +2"];
    const inFront = lines(chatWith({ asked: [request] }));
    const first = inFront.indexOf("? May Edit do this?");
    expect(inFront.slice(first + 1, first + 5)).toEqual(asked);
    const question = { ...request, requestId: "r1", since: "" };
    const overlay: Overlay = {
      kind: "look",
      task: { ...task("a1", true), question },
      lines: [],
      selected: 0,
    };
    const looking = lines(chatWith({}, { overlay }));
    const title = looking.indexOf("  ? Edit /a.ts");
    expect(looking.slice(title + 1, title + 5)).toEqual(asked.map((line) => `  ${line}`));
  });

  test.each([
    `echo harmless${" ".repeat(200)}; rm -rf x`,
    `~~~ || echo ${"a".repeat(100)}; rm -rf x`,
    `\`\`\`; ${"echo a; ".repeat(30)}rm -rf x`,
    `echo ok${"\t".repeat(50)}; rm -rf x`,
    "echo ok\rrm -rf x",
    "echo ok \u001b]0;; rm -rf x; \u0007",
  ])("shows all of a command that is asked about, in front and in the background: %j", (command) => {
    const request = { toolUseId: "t", tool: "Bash", input: { command }, title: "Run a command" };
    const task1 = { ...task("a1", true), question: { ...request, requestId: "r1", since: "" } };
    const overlay: Overlay = { kind: "look", task: task1, lines: [], selected: 0 };
    for (const state of [chatWith({ asked: [request] }), chatWith({}, { overlay })]) {
      const shown = lines(state);
      expect(shown.join("").replaceAll(" ", "")).toContain("rm-rfx");
      for (const line of shown) expect(line).not.toMatch(/[\u0000-\u001f\u007f]/);
      for (const line of shown) expect(displayWidth(line)).toBeLessThanOrEqual(60);
    }
  });

  test("leaves no tab in what is drawn over, whose width only the terminal would know", () => {
    const overlay: Overlay = { kind: "look", task: task("b1"), lines: ["\ta\tb"], selected: 0 };
    const query = { startedAtMs: NOW, text: "a\tb", calls: [] };
    for (const state of [chatWith({}, { overlay }), chatWith({ query })]) {
      const shown = lines(state).join("\n");
      expect(shown).toMatch(/a {4}b/);
      expect(shown).not.toContain("\t");
    }
  });

  test("shows the tasks to choose from", () => {
    const state = chatWith(
      {},
      { tasks: [task("b1"), task("s2", true)], overlay: { kind: "tasks", selected: 1 } },
    );
    expect(lines(state).slice(0, 5)).toEqual([
      "",
      "Tasks",
      "  b1  running  2m  npm run dev",
      "❯ s2  needs input  2m  npm run dev",
      "Enter opens it · s stops it · Esc closes",
    ]);
  });

  test("says what pressing a key again does, for as long as it does", () => {
    const armed = chatWith({}, { armed: { key: "exit", atMs: NOW - 500 } });
    expect(lines(armed).at(-1)).toBe("Press Ctrl+C again to quit");
    expect(lines({ ...armed, armed: { key: "exit", atMs: NOW - 1500 } }).at(-1)).toBe("─".repeat(60));
  });

  test("is never wider nor as high as the window, and its cursor is inside", () => {
    const overlays: (Overlay | undefined)[] = [
      undefined,
      { kind: "tasks", selected: 3 },
      { kind: "look", task: task("b1"), lines: ["日本語".repeat(60), "x"], selected: 0 },
      {
        kind: "sessions",
        selected: 9,
        sessions: times(30, { id: "x".repeat(36), title: "ü".repeat(90), updatedAt: "" }),
      },
      { kind: "history", query: "日本\u001b[31m".repeat(30), selected: 0 },
      { kind: "history", query: "", selected: 7 },
      { kind: "result", at: 0, title: "日本語".repeat(60), lines: times(40, "語\tx".repeat(60)), top: 3 },
    ];
    const anyText = fc.string({
      unit: fc.constantFrom("a", " ", "日", "👍🏽", "\n", "\u001b[1m"),
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        anyText,
        fc.nat(400),
        fc.constantFrom(...overlays),
        fc.integer({ min: 6, max: 60 }),
        fc.integer({ min: 20, max: 130 }),
        fc.nat(40),
        (text, cursor, overlay, rows, columns, count) => {
          const state = chatWith({
            query: { startedAtMs: 0, text, calls: times(count % 7, call) },
            todos: times(count, { content: text || "x", status: "pending" } as const),
            queued: times(count % 5, text),
            asked: times(count % 3, {
              toolUseId: "t",
              tool: "Bash",
              input: { command: text },
              title: text,
            }),
          });
          const editor = insertText(state.editor, text);
          const typed = {
            ...state,
            tasks: times(count, task("b1")),
            editor: { ...editor, history: times(9, text).map((prompt, index) => `${index}${prompt}`) },
            header: { agent: text, folder: text, permission: "ask", model: text },
            completion: {
              word: { kind: "file", typed: "" } as const,
              choices: times(count, { text: text || "x", hint: text }),
              selected: Math.max(0, count - 1),
            },
            ...(overlay && { overlay }),
            ...(cursor % 2 === 0 && { armed: { key: "background", atMs: NOW } as const }),
          };
          const view = screenView(typed, { columns, rows, style, nowMs: NOW });
          expect(view.lines.length).toBeLessThan(rows);
          expect(view.lines.join("")).not.toContain("\u001b");
          expect(Math.max(...view.lines.map(displayWidth))).toBeLessThanOrEqual(columns);
          expect(view.cursor.y).toBeLessThan(view.lines.length);
          expect(view.cursor.x).toBeLessThan(columns);
        },
      ),
    );
  });
});
