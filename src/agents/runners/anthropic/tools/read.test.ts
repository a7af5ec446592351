import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, failed, toolContext } from "../../../../../test/support/call-tool.ts";
import { tempDir } from "../../../../../test/support/index.ts";
import { editedFileBytesMax, imageBytesMax, readLinesMax, readTextLengthMax } from "./limits.ts";
import { readFileState } from "./known-files.ts";
import { readTool } from "./read.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

async function read(
  content: string | Buffer,
  input: object = {},
): Promise<{ outcome: ToolOutcome; file: string; context: ToolContext }> {
  const context = toolContext();
  const file = path.join(context.cwd, "file");
  fs.writeFileSync(file, content);
  return { outcome: await callTool(readTool, { file_path: "file", ...input }, context), file, context };
}

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${String(from + i).padStart(6)}\tline ${from + i}`).join(
    "\n",
  );
const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

describe("Read", () => {
  test.each<[string, string | Buffer, object, string]>([
    ["all of a short file", lines(3), {}, numbered(1, 3)],
    ["lines without the marks of Windows", "a\r\nb\r\n", {}, "     1\ta\n     2\tb"],
    ["a file without a last newline", "a\n\nb", {}, "     1\ta\n     2\t\n     3\tb"],
    ["a file with a byte order mark", "\ufeffa", {}, "     1\ta"],
    ["an empty file", "", {}, "(the file is empty)"],
    [
      "the part asked for",
      lines(9),
      { offset: 3, limit: 2 },
      `${numbered(3, 4)}\n(9 lines in all; go on with offset 5)`,
    ],
    ["the end", lines(9), { offset: 8 }, numbered(8, 9)],
    [
      "no more lines than allowed",
      lines(readLinesMax + 1),
      { limit: 1e6 },
      `${numbered(1, readLinesMax)}\n(2001 lines in all; go on with offset 2001)`,
    ],
    ["long lines cut", "x".repeat(2003), {}, `     1\t${"x".repeat(2000)}… [3 characters cut]`],
    ["bytes that are no characters", Buffer.from([0x61, 0xff, 0x62]), {}, "     1\ta\ufffdb"],
  ])("gives %s", async (_case, content, input, shown) => {
    expect((await read(content, input)).outcome.content).toBe(shown);
  });

  test("keeps what the client keeps", async () => {
    const { outcome, file } = await read(lines(5), { offset: 2, limit: 2 });
    expect(outcome.toolUseResult).toEqual({
      type: "text",
      file: { filePath: file, content: "line 2\nline 3", numLines: 2, startLine: 2, totalLines: 5 },
    });
  });

  test("gives no more text than allowed, in whole lines", async () => {
    const { outcome } = await read(`${"x".repeat(1999)}\n`.repeat(60));
    const shown = (outcome.content as string).split("\n");
    expect(shown).toHaveLength(readTextLengthMax / 2000 + 1);
    expect(shown.at(-1)).toBe("(60 lines in all; go on with offset 51)");
  });

  test("remembers that the model knows the file", async () => {
    const { context, file } = await read("a");
    expect(context.knownFiles.whyUnknown(file, await readFileState(file))).toBeUndefined();
  });

  test.each([
    ["image/png", Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1")],
    ["image/jpeg", Buffer.from("\xff\xd8\xff\xe0rest", "latin1")],
    ["image/gif", Buffer.from("GIF89a rest", "latin1")],
    ["image/webp", Buffer.from("RIFF\x01\x02\x03\x04WEBPrest", "latin1")],
  ])("shows %s", async (type, bytes) => {
    const base64 = bytes.toString("base64");
    expect((await read(bytes)).outcome).toEqual({
      content: [{ type: "image", source: { type: "base64", media_type: type, data: base64 } }],
      toolUseResult: { type: "image", file: { base64, type, originalSize: bytes.length } },
    });
  });

  test("refuses what it cannot show, and says what to do", async () => {
    const big = Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(imageBytesMax)]);
    expect((await read(big)).outcome.content).toMatch(/images may have 3750000, make it smaller$/);
    expect((await read("a\0b")).outcome.content).toMatch(/is not text; look into it with Bash$/);
    expect((await read(lines(3), { offset: 4 })).outcome.content).toMatch(
      /has 3 lines; line 4 is beyond its end$/,
    );
    const { context, file } = await read("");
    fs.truncateSync(file, editedFileBytesMax + 1);
    const outcome = await callTool(readTool, { file_path: file }, context);
    expect(outcome).toEqual(
      failed(`"${file}" has 33554433 bytes, more than 33554432; look at parts of it with Grep or Bash`),
    );
  });

  test("never opens what is no plain file", async () => {
    const context = toolContext();
    const call = (file: string): Promise<ToolOutcome> => callTool(readTool, { file_path: file }, context);
    expect(await call(context.cwd)).toEqual(
      failed(`"${context.cwd}" is a folder; list it with Glob or Bash`),
    );
    expect(await call("/dev/zero")).toEqual(failed('"/dev/zero" is no plain file'));
    const missing = path.join(tempDir(), "none");
    expect(await call(missing)).toEqual(failed(`There is no file "${missing}"`));
  });
});
