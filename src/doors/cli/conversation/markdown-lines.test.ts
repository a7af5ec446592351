import { describe, expect, test } from "vitest";
import { displayWidth } from "../render/display-width.ts";
import { makeStyle } from "../render/style.ts";
import { loadHighlighter } from "./code-lines.ts";
import { markdownLines } from "./markdown-lines.ts";

const plain = makeStyle({ hasColor: false });
const colored = makeStyle({ hasColor: true });

function render(text: string, { columns = 40, style = plain } = {}): string[] {
  return markdownLines(text, { columns, style });
}

describe("markdownLines()", () => {
  test("lays blocks out, each apart from the next", () => {
    const text = [
      "# Findings",
      "Two *things* are **wrong** in `parse()`, see [the issue](https://example.com/1):",
      "",
      "- the caller passes `null` and nobody looks at it before",
      "  1. one",
      "  2. two",
      "- [x] done",
      "",
      "> said before",
      "",
      "```ts",
      "const a = 1;",
      "",
      "a;",
      "```",
      "---",
      "end",
    ].join("\n");
    expect(render(text)).toEqual([
      "# Findings",
      "",
      "Two *things* are **wrong** in `parse()`,",
      "see the issue (https://example.com/1):",
      "",
      "• the caller passes `null` and nobody",
      "  looks at it before",
      "  1. one",
      "  2. two",
      "• [x] done",
      "",
      "│ said before",
      "",
      "  const a = 1;",
      "",
      "  a;",
      "",
      "─".repeat(40),
      "",
      "end",
    ]);
  });

  test("sets words off instead of showing their marks where the screen can", () => {
    expect(render("**bold** and `code`", { style: colored })).toEqual([
      `${colored.bold("bold")} and ${colored.cyan("code")}`,
    ]);
    expect(render("## A *b*", { style: colored })).toEqual([
      colored.bold("A ") + colored.bold(colored.italic("b")),
    ]);
  });

  test("colours code by its language, and differences by their side", async () => {
    await loadHighlighter({ style: colored });
    expect(render('```ts\nconst a = "x"; // why\n```', { style: colored })).toEqual([
      `  ${colored.magenta("const")} a = ${colored.green('"x"')}; ${colored.dim("// why")}`,
    ]);
    expect(render("```diff\n-old\n+new\n```", { style: colored })).toEqual([
      `  ${colored.red("-old")}`,
      `  ${colored.green("+new")}`,
    ]);
    expect(render("```no-such-language\nconst\n```", { style: colored })).toEqual(["  const"]);
  });

  test("wraps the widest cells of a table, and gives up on one that cannot fit", () => {
    const text = "| name | what it does |\n|--|--:|\n| a | it goes on and on and on and on |\n| bb | 2 |";
    expect(render(text, { columns: 24 })).toEqual([
      "name        what it does",
      "────  ──────────────────",
      "a      it goes on and on",
      "           and on and on",
      "bb                     2",
    ]);
    expect(render(text, { columns: 8 }).join("\n")).toContain("|");
  });

  test.each([20, 40, 80])("keeps everything but code inside %i cells", (columns) => {
    const long = "日本語 and a **very** long text that `goes on` ".repeat(5);
    const text = `# ${long}\n\n${long}\n\n- ${long}\n  - ${long}\n\n> ${long}\n\n| a | b |\n|--|--|\n| ${long} | 1 |`;
    expect(render(text, { columns }).filter((line) => displayWidth(line) > columns)).toEqual([]);
  });

  test.each([
    ["quotes", ">".repeat(20_000)],
    ["lists", Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth * 2)}- x`).join("\n")],
    ["brackets", "[".repeat(20_000)],
    ["stars", "*a_".repeat(10_000)],
  ])("takes hostile %s in bounded time", (_, text) => {
    const startedAt = performance.now();
    expect(render(text).length).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeLessThan(4000);
  });
});
