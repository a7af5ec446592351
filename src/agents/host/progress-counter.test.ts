import { describe, expect, test } from "vitest";
import { agentActivityLengthMax, agentTodosMax } from "../../tasks/kinds/agent/limits.ts";
import type { AgentTodo, AssistantEvent, ContentPart } from "../../tasks/ports.ts";
import { ProgressCounter } from "./progress-counter.ts";

const at = "2026-11-16T00:00:00.000Z";
const message = (content: ContentPart[]): AssistantEvent => ({
  kind: "assistant",
  message: {
    id: "m1",
    model: "m",
    role: "assistant",
    type: "message",
    content,
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const use = (input: unknown): ContentPart => ({ type: "tool_use", id: "t1", name: "Tool", input });

describe("ProgressCounter", () => {
  test.each([
    [{ description: "List files", command: "ls -l" }, "Tool ls -l"],
    [{ file_path: "/a/b" }, "Tool /a/b"],
    [{ odd: 1, other: "words\nin lines" }, "Tool words in lines"],
    [{}, "Tool"],
    [null, "Tool"],
  ])("tells of a tool's input %j what says most", (input, text) => {
    const counter = new ProgressCounter();
    counter.count(message([use(input)]), at);
    expect(counter.progress({ at }).activities).toEqual([{ at, tool: "Tool", text }]);
    expect(counter.openToolUses).toBe(1);
  });

  test.each([
    ["x".repeat(agentActivityLengthMax), "x".repeat(agentActivityLengthMax)],
    ["x".repeat(agentActivityLengthMax + 1), `${"x".repeat(agentActivityLengthMax - 1)}…`],
    [`${"x".repeat(agentActivityLengthMax - 2)}🦀🦀`, `${"x".repeat(agentActivityLengthMax - 2)}…`],
    [` one \n two${" ".repeat(10_000)}`, "one two…"],
  ])("cuts what was said to a line", (said, summary) => {
    const counter = new ProgressCounter();
    counter.count(message([{ type: "text", text: said }]), at);
    expect(counter.progress({ at }).summary).toBe(summary);
  });

  test("bounds a list of to-dos", () => {
    const todo: AgentTodo = { content: "x", status: "pending" };
    const counter = new ProgressCounter();
    counter.count({ kind: "todos", todos: Array.from({ length: agentTodosMax + 1 }, () => todo) }, at);
    expect(counter.progress({ at }).todos).toHaveLength(agentTodosMax);
  });

  test("knows no cost when one message has no price, but needs none for a message that used nothing", () => {
    const counter = new ProgressCounter();
    const price = (model: string): number | undefined => (model === "m" ? 2 : undefined);
    const other = message([]);
    counter.count(message([]), at);
    counter.count(
      {
        ...other,
        message: { ...other.message, id: "m2", model: "?", usage: { input_tokens: 0, output_tokens: 0 } },
      },
      at,
    );
    expect(counter.progress({ at, price }).costUsd).toBe(2);
    counter.count({ ...other, message: { ...other.message, id: "m3", model: "?" } }, at);
    expect(counter.progress({ at, price })).not.toHaveProperty("costUsd");
  });
});
