import { beforeAll, describe, expect, test } from "vitest";
import type { ConversationItem } from "../../../conversation/conversation-item.ts";
import { unfoldTool } from "./unfold-tool.ts";
import { ConversationRenderer } from "./conversation-renderer.ts";
import { loadMarkdown } from "./render-markdown.ts";
import { displayWidth } from "../render/display-width.ts";
import { makeStyle } from "../render/style.ts";

beforeAll(() => loadMarkdown({ columns: 80, style: makeStyle({ hasColor: false }) }));

function render(items: ConversationItem[], columns = 60, options = {}): string[] {
  const style = makeStyle({ hasColor: false });
  const renderer = new ConversationRenderer({ columns, style, hasInternals: true, ...options });
  return [...items.flatMap((item) => renderer.render(item)), ...renderer.end()];
}

const result = { text: "FAIL a.test.ts\n1 failed\n", bytes: 840, images: 0, isError: false };

describe("ConversationRenderer", () => {
  test("folds what was done and shows what was said", () => {
    const items: ConversationItem[] = [
      { kind: "prompt", text: "Why is it red?", images: 1, isQueued: false },
      { kind: "thinking", text: "Let me\nlook" },
      { kind: "answer", text: "I look at it." },
      { kind: "tool", name: "Bash", detail: "npm test", input: {}, result },
      { kind: "tool", name: "Read", detail: "a.ts", input: {}, result: { ...result, isError: true } },
      {
        kind: "tool",
        name: "Bash",
        detail: "npm run dev",
        input: {},
        result: { ...result, text: "", backgroundTaskId: "b1234" },
      },
      { kind: "tool", name: "Bash", detail: "sleep 9", input: {} },
      { kind: "context", name: "hook_success" },
      { kind: "context", name: "hook_success" },
      { kind: "context", name: "skill_listing" },
      { kind: "compaction", trigger: "auto", tokensBefore: 155_000, tokensAfter: 9000 },
      { kind: "summary", text: "So far it is red." },
      { kind: "notice", text: "API error 529", isError: true },
    ];
    expect(render(items)).toEqual([
      "❯ Why is it red?",
      "  [image]",
      "",
      "✻ Let me look",
      "",
      "  I look at it.",
      "",
      "● Bash  npm test  ✓ 0.8 KB",
      "  ⎿ FAIL a.test.ts (+1 line)",
      "● Read  a.ts  ✗ 0.8 KB",
      "  ⎿ FAIL a.test.ts (+1 line)",
      "● Bash  npm run dev  → background b1234",
      "● Bash  sleep 9  … no result",
      "",
      "· hook_success ×2, skill_listing",
      "",
      `── compacted (auto, 155k → 9k tokens) ${"─".repeat(22)}`,
      "",
      "≡ Summary, 17 B: So far it is red.",
      "",
      "! API error 529",
    ]);
  });

  test("unfolds what was done and thought when asked to", () => {
    const edit = { file_path: "/p/a.ts", old_string: "one\ntwo", new_string: "one\n2" };
    const items: ConversationItem[] = [
      { kind: "thinking", text: "Let me\nlook" },
      { kind: "tool", name: "Bash", detail: "npm test", input: { command: "npm test" }, result },
      {
        kind: "tool",
        name: "Edit",
        detail: "a.ts",
        isPath: true,
        input: edit,
        result: { ...result, images: 1, text: "" },
      },
      { kind: "summary", text: "So far it **is** red." },
    ];
    expect(render(items, 60, { unfoldTool })).toEqual([
      "✻ Let me",
      "  look",
      "",
      "● Bash  npm test  ✓ 0.8 KB",
      "  ⎿ FAIL a.test.ts",
      "    1 failed",
      "● Edit  a.ts  ✓ 0.8 KB",
      "     one",
      "    -two",
      "    +2",
      "  ⎿ [image]",
      "",
      "≡ Summary, 21 B",
      "  So far it **is** red.",
    ]);
  });

  test("renders Markdown for a window, and gives it to a pipe as it was written", () => {
    const answer: ConversationItem = { kind: "answer", text: "* one\n* two" };
    expect(render([answer])).toEqual(["  • one", "  • two"]);
    expect(render([answer], Infinity)).toEqual(["  * one", "  * two"]);
  });

  test("leaves out what the client put in between unless asked for it", () => {
    expect(render([{ kind: "context", name: "hook_success" }], 60, { hasInternals: false })).toEqual([]);
  });

  test("says of a tool that is watched only that it works", () => {
    const style = makeStyle({ hasColor: false });
    const renderer = new ConversationRenderer({ columns: 60, style, isLive: true });
    const tool: ConversationItem = { kind: "tool", name: "Bash", detail: "sleep 9", input: {} };
    expect(renderer.render(tool)).toEqual(["● Bash  sleep 9  …"]);
  });

  test("names an agent with what it cost", () => {
    const agent = {
      type: "Explore",
      description: "Find it",
      id: "a12345",
      tokens: 41_000,
      durationMs: 72_000,
    };
    const tool: ConversationItem = { kind: "tool", name: "Task", detail: "Explore: Find it", agent, result };
    expect(render([tool], 80)[0]).toBe(
      "● Task  Explore: Find it  ✓ 0.8 KB · agent a12345 · 41k tokens · 1m 12s",
    );
  });

  test("lets nothing through that a terminal obeys", () => {
    const nasty = "\u001b]0;owned\u0007\u001b[2Jx\u202ey\u009b31m";
    const items: ConversationItem[] = [
      { kind: "prompt", text: nasty, images: 0, isQueued: false },
      { kind: "answer", text: nasty },
      { kind: "thinking", text: nasty },
      {
        kind: "tool",
        name: nasty,
        detail: nasty,
        result: { ...result, text: nasty, backgroundTaskId: nasty },
      },
      { kind: "tool", name: "Task", detail: "", agent: { id: nasty }, result },
      { kind: "compaction", trigger: nasty },
      { kind: "summary", text: nasty },
      { kind: "notification", notification: { taskId: nasty, status: nasty, summary: "", result: nasty } },
      { kind: "notification", notification: { taskId: "b1", status: "failed", summary: nasty } },
      { kind: "command", text: nasty },
      { kind: "command-output", text: nasty },
      { kind: "peer", name: nasty, text: nasty },
      { kind: "notice", text: nasty, isError: true },
      { kind: "context", name: nasty },
    ];
    expect(render(items).filter((line) => /[\u0000-\u001f\u007f-\u009f\u202e]/.test(line))).toEqual([]);
  });

  test.each([20, 40, 80])("keeps every line inside a window of %i cells", (columns) => {
    const long = "日本語 and a very long text that goes on ".repeat(5);
    const items: ConversationItem[] = [
      { kind: "prompt", text: long, images: 0, isQueued: true, at: "2026-01-02T03:04:05Z" },
      { kind: "answer", text: long },
      { kind: "thinking", text: long },
      { kind: "tool", name: "Bash", detail: long, result: { ...result, text: long } },
      { kind: "compaction", trigger: long, tokensBefore: 1 },
      { kind: "summary", text: long },
      { kind: "notice", text: long, isError: false },
      { kind: "context", name: long },
    ];
    expect(render(items, columns).filter((line) => displayWidth(line) > columns)).toEqual([]);
  });
});
