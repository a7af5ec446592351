import { describe, expect, test } from "vitest";
import { questionLines, type AskedTool } from "./question-lines.ts";

const asked = (input: AskedTool["input"], more: Partial<AskedTool> = {}): string[] =>
  questionLines({ toolUseId: "toolu_1", title: "Do it", input, ...more }).map(
    ({ kind, text }) => `${kind} ${text}`,
  );

describe("questionLines()", () => {
  test.each<[string, AskedTool["input"], string[]]>([
    [
      "the command of a shell, and how it is run",
      { command: "make\nrm -rf out", run_in_background: true },
      ["command make", "command rm -rf out", "argument run_in_background: true"],
    ],
    [
      "the difference that an edit makes",
      { file_path: "/a.ts", old_string: "one\ntwo", new_string: "one\n2", replace_all: true },
      ["file /a.ts", "context  one", "removed -two", "added +2", "argument replace_all: true"],
    ],
    [
      "every one of several edits",
      {
        file_path: "/a",
        edits: [{ old_string: "a", new_string: "b" }, { old_string: "c", new_string: "" }, 7],
      },
      ["file /a", "removed -a", "added +b", "removed -c", "argument edit: 7"],
    ],
    ["the content of a file", { file_path: "/a", content: "x\ny" }, ["file /a", "content x", "content y"]],
    [
      "the arguments of anything else",
      { url: "http://x", depth: 2, body: "a\nb", command: ["ls"] },
      [
        "argument command: [",
        'argument     "ls"',
        "argument   ]",
        "argument url: http://x",
        "argument depth: 2",
        "argument body: a",
        "argument   b",
      ],
    ],
    ["what it is called when nothing is known of it", undefined, ["note Do it"]],
  ])("shows %s", (_, input, lines) => {
    expect(asked(input)).toEqual(lines);
  });

  test.each([
    // A terminal would take all of it for the title of its window, and show none of it.
    ["echo ok \u001b]0;; touch x; echo \u0007", String.raw`echo ok \u001b]0;; touch x; echo \u0007`],
    ["echo ok\rrm -rf x", String.raw`echo ok\u000drm -rf x`],
    ["echo \u202ex\u2028y\u200b\u{e0041}", String.raw`echo \u202ex\u2028y\u200b\udb40\udc41`],
    ["a\u200db", String.raw`a\u200db`],
    ["echo ok\t\tx", "echo ok        x"],
    ["echo 👩‍🚀 日本語", "echo 👩‍🚀 日本語"],
  ])("hides nothing of %j from whoever is asked", (command, shown) => {
    expect(asked({ command })).toEqual([`command ${shown}`]);
    expect(asked({ [command]: 1 })).toEqual([`argument ${shown}: 1`]);
    expect(asked(undefined, { title: command })).toEqual([`note ${shown}`]);
  });

  test("says where the rest is of what was cut", () => {
    expect(asked({ command: "make" }, { isInputCut: true }).at(-1)).toBe(
      "note … cut: all of it is in the transcript, tool use toolu_1",
    );
  });

  test("shows two long texts that have nothing in common, in bounded time", () => {
    const text = (seed: number): string =>
      Array.from({ length: 20_000 }, (_, line) => String((line * seed) % 7919)).join("\n");
    const lines = asked({ old_string: text(31), new_string: text(17) });
    expect(lines.length).toBeGreaterThanOrEqual(20_000);
  });
});
