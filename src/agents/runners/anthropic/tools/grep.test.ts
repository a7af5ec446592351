import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, failed, toolContext } from "../../../../../test/support/call-tool.ts";
import { searchedFileBytesMax } from "./limits.ts";
import { findPrograms } from "../../../../lib/find-programs.ts";
import { grepTool } from "./grep.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

const [ripgrep] = findPrograms("rg", process.env["PATH"]);

function folderWith(files: Record<string, string | Buffer>, env: ToolContext["env"] = {}): ToolContext {
  const context = toolContext({ env });
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(context.cwd, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
  return context;
}

const files = {
  "a.ts": "one\nTwo\nthree two\nfour\nfive\nsix\nseven two\n",
  "sub/b.md": "nothing\r\ntwo\r\n",
  ".hidden": "two",
  ".git/config": "two",
  binary: Buffer.from("two\0two"),
};

describe("Grep with our own search", () => {
  searchTests({});
});
describe.skipIf(ripgrep === undefined)("Grep with ripgrep (skipped where rg is not on the PATH)", () => {
  searchTests({ PATH: path.dirname(ripgrep ?? "") });
});

function searchTests(env: ToolContext["env"]): void {
  const grep = (input: object, context = folderWith(files, env)): Promise<ToolOutcome> =>
    callTool(grepTool, input, context);
  const sorted = ({ content }: ToolOutcome): string[] => (content as string).split("\n").sort();

  test("names the files that match", async () => {
    const outcome = await grep({ pattern: "two" });
    expect(sorted(outcome)).toEqual([".hidden", "a.ts", "sub/b.md"]);
    expect(outcome.toolUseResult).toMatchObject({ mode: "files_with_matches", numFiles: 3 });
  });

  test("chooses files", async () => {
    expect(sorted(await grep({ pattern: "two", glob: "*.{md,ts}" }))).toEqual(["a.ts", "sub/b.md"]);
    expect(sorted(await grep({ pattern: "two", path: "sub" }))).toEqual(["sub/b.md"]);
    expect(sorted(await grep({ pattern: "two", path: "a.ts" }))).toEqual(["a.ts"]);
  });

  test("shows lines, with those around them", async () => {
    const input = { pattern: "two$", path: "a.ts", output_mode: "content", "-i": true };
    expect(await grep(input)).toEqual({
      content: "a.ts:2:Two\na.ts:3:three two\na.ts:7:seven two",
      toolUseResult: {
        mode: "content",
        numFiles: 0,
        filenames: [],
        content: "a.ts:2:Two\na.ts:3:three two\na.ts:7:seven two",
        numLines: 3,
      },
    });
    expect((await grep({ ...input, "-B": 1 })).content).toBe(
      "a.ts-1-one\na.ts:2:Two\na.ts:3:three two\n--\na.ts-6-six\na.ts:7:seven two",
    );
    expect((await grep({ ...input, pattern: "Two", "-A": 1, "-i": false })).content).toBe(
      "a.ts:2:Two\na.ts-3-three two",
    );
  });

  test("counts lines", async () => {
    const outcome = await grep({ pattern: "two", output_mode: "count", glob: "*.ts" });
    expect(outcome).toEqual({
      content: "a.ts:2",
      toolUseResult: { mode: "count", numFiles: 1, filenames: [], content: "a.ts:2", numMatches: 2 },
    });
  });

  test("finds lines of Windows", async () => {
    const context = folderWith({ "w.txt": "two\r\n" }, env);
    expect(sorted(await grep({ pattern: "two\\r?$" }, context))).toEqual(["w.txt"]);
  });

  test("says when there is nothing, and when there is more", async () => {
    expect((await grep({ pattern: "nowhere" })).content).toBe("No matches found");
    const outcome = await grep({ pattern: "e", path: "a.ts", output_mode: "content", head_limit: 2 });
    expect(outcome.content).toBe("a.ts:1:one\na.ts:3:three two\n(the first 2)");
  });

  test("gives no more text than allowed", async () => {
    const context = folderWith({ "a.txt": `${"x".repeat(450)}\n`.repeat(400) }, env);
    const { content } = await grep({ pattern: "x", output_mode: "content" }, context);
    expect(content).toMatch(/\n\(the first 21\d\)$/);
  });

  test("cuts long lines", async () => {
    const context = folderWith({ "min.js": `x${"y".repeat(2000)}\n` }, env);
    const { content } = await grep({ pattern: "x", output_mode: "content" }, context);
    expect((content as string).length).toBeLessThan(600);
  });

  test.each([
    ["^four$", "a.ts:4:four"],
    ["f\\w+r", "a.ts:4:four"],
    ["[^o]$", "a.ts:1:one\na.ts:4:four\na.ts:5:five\na.ts:6:six"],
    ["o\\b.*\\bt", "No matches found"],
    ["(?i)TWO$", "a.ts:2:Two\na.ts:3:three two\na.ts:7:seven two"],
  ])("understands %j line by line", async (pattern, shown) => {
    expect((await grep({ pattern, path: "a.ts", output_mode: "content" })).content).toBe(shown);
  });

  test("finds a pattern that looks like an option", async () => {
    const context = folderWith({ "a.txt": "--version\n" }, env);
    expect((await grep({ pattern: "--version", output_mode: "content" }, context)).content).toBe(
      "a.txt:1:--version",
    );
  });

  test("says what is wrong with a pattern, and with a path", async () => {
    await expect(grep({ pattern: "(" })).rejects.toThrow(/missing|unclosed/);
    const context = folderWith({}, env);
    expect(await grep({ pattern: "x", path: "none" }, context)).toEqual(
      failed(`There is no file or folder "${path.join(context.cwd, "none")}"`),
    );
  });

  test("ends at the signal", async () => {
    const context = { ...folderWith(files, env), signal: AbortSignal.abort(new Error("enough")) };
    await expect(grep({ pattern: "two" }, context)).rejects.toThrow(/enough|aborted/);
  });
}

describe("Grep's own search", () => {
  test("passes over large files, and says so", async () => {
    const context = folderWith({ "big.log": "two\n", "small.log": "two\n" });
    fs.truncateSync(path.join(context.cwd, "big.log"), searchedFileBytesMax + 1);
    const { content } = await callTool(grepTool, { pattern: "two" }, context);
    const big = path.join(context.cwd, "big.log");
    expect(content).toBe(`small.log\n(1 files over 8388608 bytes were passed over, "${big}" for one)`);
  });

  test("stops after so many bytes, and says so", async () => {
    const context = folderWith({ "a.log": "two\n", "z.log": "two\n" });
    // Sparse files of full size: read, but without taking a disk.
    for (let index = 0; index < 64; index++) {
      const file = path.join(context.cwd, `m${index}.log`);
      fs.writeFileSync(file, "");
      fs.truncateSync(file, searchedFileBytesMax);
    }
    const { content } = await callTool(grepTool, { pattern: "two" }, context);
    expect(content).toBe("a.log\n(stopped after 536870912 bytes; name a folder or a glob)");
  });

  test("refuses a pattern that would take for ever", async () => {
    const context = folderWith(files);
    await expect(callTool(grepTool, { pattern: "(a{1,30}){1,30}" }, context)).rejects.toThrow(
      "the pattern repeats too much",
    );
  });
});
