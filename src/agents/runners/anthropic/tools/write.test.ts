import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, failed, toolContext } from "../../../../../test/support/call-tool.ts";
import { readTool } from "./read.ts";
import { writeTool } from "./write.ts";

describe("Write", () => {
  test("makes a file, with the folders above it", async () => {
    const context = toolContext();
    const file = path.join(context.cwd, "a/b/c.txt");
    expect(await callTool(writeTool, { file_path: "a/b/c.txt", content: "x\n" }, context)).toEqual({
      content: `Created "${file}"`,
      toolUseResult: {
        type: "create",
        filePath: file,
        content: "x\n",
        originalFile: null,
        structuredPatch: [],
      },
    });
    expect(fs.readFileSync(file, "utf8")).toBe("x\n");
  });

  test("replaces a file only when the model knows it", async () => {
    const context = toolContext();
    const file = path.join(context.cwd, "a.txt");
    fs.writeFileSync(file, "old\n");
    const write = (content: string): ReturnType<typeof callTool> =>
      callTool(writeTool, { file_path: file, content }, context);
    expect(await write("new\n")).toEqual(failed(`"${file}" has not been read yet; read it first`));
    expect(fs.readFileSync(file, "utf8")).toBe("old\n");
    await callTool(readTool, { file_path: file }, context);
    expect(await write("new\n")).toEqual({
      content: `Replaced "${file}"`,
      toolUseResult: {
        type: "update",
        filePath: file,
        content: "new\n",
        originalFile: "old\n",
        structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-old", "+new"] }],
      },
    });
    expect(await write("newer\n")).toMatchObject({ content: `Replaced "${file}"` });
  });

  test("refuses a folder, and says what the system says", async () => {
    const context = toolContext();
    fs.writeFileSync(path.join(context.cwd, "file"), "");
    const write = (file_path: string): ReturnType<typeof callTool> =>
      callTool(writeTool, { file_path, content: "x" }, context);
    expect(await write(".")).toMatchObject({ isError: true, content: expect.stringMatching(/is a folder/) });
    await expect(write("file/below")).rejects.toThrow("ENOTDIR: not a directory");
  });
});
