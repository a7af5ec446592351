import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, failed, toolContext } from "../../../../../test/support/call-tool.ts";
import { foundFilesMax } from "./limits.ts";
import { globTool } from "./glob.ts";
import type { ToolContext } from "./tool.ts";

/** A folder with these files, each a second newer than the one before. */
function folderWith(...names: string[]): ToolContext {
  const context = toolContext();
  names.forEach((name, index) => {
    const file = path.join(context.cwd, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "");
    fs.utimesSync(file, 1000 + index, 1000 + index);
  });
  return context;
}

async function found(context: ToolContext, input: object): Promise<string[]> {
  const { toolUseResult } = await callTool(globTool, input, context);
  return (toolUseResult as { filenames: string[] }).filenames.map((file) => path.relative(context.cwd, file));
}

describe("Glob", () => {
  test("names files, newest first, and keeps what the client keeps", async () => {
    const context = folderWith("old.ts", "src/new.ts", "src/a.md");
    const [file, old] = ["src/new.ts", "old.ts"].map((name) => path.join(context.cwd, name));
    expect(await callTool(globTool, { pattern: "**/*.ts" }, context)).toEqual({
      content: `${file}\n${old}`,
      toolUseResult: {
        filenames: [file, old],
        durationMs: expect.any(Number),
        numFiles: 2,
        truncated: false,
      },
    });
  });

  test("passes over .git and node_modules, unless packages are meant", async () => {
    const context = folderWith(".git/a.ts", "node_modules/p/a.ts", ".hidden/a.ts");
    expect(await found(context, { pattern: "**/a.ts" })).toEqual([".hidden/a.ts"]);
    expect(await found(context, { pattern: "node_modules/**/*.ts" })).toEqual(["node_modules/p/a.ts"]);
  });

  test("looks in the folder that is given", async () => {
    const context = folderWith("a.ts", "sub/b.ts");
    expect(await found(context, { pattern: "*.ts", path: "sub" })).toEqual(["sub/b.ts"]);
    const missing = path.join(context.cwd, "none");
    expect(await callTool(globTool, { pattern: "*", path: "none" }, context)).toEqual(
      failed(`There is no folder "${missing}"`),
    );
  });

  test("does not follow links to folders", async () => {
    const context = folderWith("sub/a.ts");
    fs.symlinkSync("..", path.join(context.cwd, "sub/loop"));
    expect(await found(context, { pattern: "**/*.ts" })).toEqual(["sub/a.ts"]);
  });

  test("says when there is nothing, and when there is more", async () => {
    expect(await callTool(globTool, { pattern: "*.ts" }, folderWith("a.md"))).toMatchObject({
      content: "No files found",
    });
    const many = folderWith(...Array.from({ length: foundFilesMax + 1 }, (_, index) => `${index}.ts`));
    expect(await callTool(globTool, { pattern: "*" }, many)).toMatchObject({
      content: expect.stringMatching(/\n\(the newest 100 of 101\)$/),
      toolUseResult: { numFiles: foundFilesMax, truncated: true },
    });
  });

  test("ends at the signal", async () => {
    const context = { ...folderWith("a.ts"), signal: AbortSignal.abort(new Error("enough")) };
    await expect(callTool(globTool, { pattern: "*" }, context)).rejects.toThrow("enough");
  });
});
