import { expect, test } from "vitest";
import { makeStyle } from "../../render/style.ts";
import { headerLine } from "./header-line.ts";

const header = { agent: "claude", folder: "~/projects/a-long-name/inner", permission: "ask", model: "opus" };
const used = { model: "claude-opus-4-6", contextTokens: 41_300, costUsd: 1.234 };
const style = makeStyle({ hasColor: false });

test.each([
  [90, "claude · claude-opus-4-6 · ~/projects/a-long-name/inner · tools: ask · 41k context · $1.23"],
  [75, "claude · claude-opus-4-6 · …g-name/inner · tools: ask · 41k context · $1.23"],
  [60, "claude · claude-opus-4-6 · tools: ask · 41k context · $1.23"],
  [45, "claude · tools: ask · 41k context · $1.23"],
  [32, "tools: ask · 41k context · $1.23"],
  [20, "tools: ask · 41k co…"],
])("headerLine() gives way in a window of %i cells", (columns, line) => {
  expect(headerLine(header, used, { columns, rows: 24, style, nowMs: 0 })).toBe(line);
});

test("headerLine() says what was asked for until something is known", () => {
  expect(headerLine(header, {}, { columns: 80, rows: 24, style, nowMs: 0 })).toBe(
    "claude · opus · ~/projects/a-long-name/inner · tools: ask",
  );
});
