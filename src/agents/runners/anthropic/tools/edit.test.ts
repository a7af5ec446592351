import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { callTool, failed, toolContext } from "../../../../../test/support/call-tool.ts";
import { editTool } from "./edit.ts";
import { readTool } from "./read.ts";
import type { ToolContext, ToolOutcome } from "./tool.ts";

interface World {
  file: string;
  context: ToolContext;
  edit: (oldText: string, newText: string, rest?: object) => Promise<ToolOutcome>;
  text: () => string;
}

async function world(content: string | Buffer, { isRead = true } = {}): Promise<World> {
  const context = toolContext();
  const file = path.join(context.cwd, "a.txt");
  fs.writeFileSync(file, content);
  if (isRead) await callTool(readTool, { file_path: file }, context);
  return {
    file,
    context,
    edit: (old_string, new_string, rest = {}) =>
      callTool(editTool, { file_path: "a.txt", old_string, new_string, ...rest }, context),
    text: () => fs.readFileSync(file, "utf8"),
  };
}

describe("Edit", () => {
  test("changes the file, and keeps what the client keeps", async () => {
    const { file, edit, text } = await world("one\ntwo\nthree\n");
    expect(await edit("two", "2")).toEqual({
      content: `Edited "${file}": one place`,
      toolUseResult: {
        filePath: file,
        oldString: "two",
        newString: "2",
        originalFile: "one\ntwo\nthree\n",
        structuredPatch: [
          { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [" one", "-two", "+2", " three"] },
        ],
        userModified: false,
        replaceAll: false,
      },
    });
    expect(text()).toBe("one\n2\nthree\n");
  });

  test("may follow another edit without a new look", async () => {
    const { edit, text } = await world("a b");
    await edit("a", "x");
    await edit("b", "y");
    expect(text()).toBe("x y");
  });

  test("replaces everywhere when asked to", async () => {
    const { file, edit, text } = await world("a a a");
    expect(await edit("a", "b", { replace_all: true })).toMatchObject({
      content: `Edited "${file}": 3 places`,
    });
    expect(text()).toBe("b b b");
  });

  test.each<[string, string, string, RegExp]>([
    ["is missing", "x", "y", /old_string is not in/],
    [
      "stands there twice",
      "a",
      "y",
      /stands in 2 places .* add lines around the one you mean, or set replace_all$/,
    ],
    ["is the same as the new", "b", "b", /are the same; there is nothing to do$/],
  ])("leaves the file alone when the old text %s", async (_case, oldText, newText, words) => {
    const { edit, text } = await world("a b a");
    expect(await edit(oldText, newText)).toMatchObject({
      content: expect.stringMatching(words),
      isError: true,
    });
    expect(text()).toBe("a b a");
  });

  test("refuses a file that the model has not read, or that has changed since", async () => {
    const unread = await world("a", { isRead: false });
    expect(await unread.edit("a", "b")).toEqual(
      failed(`"${unread.file}" has not been read yet; read it first`),
    );
    const changed = await world("a");
    fs.writeFileSync(changed.file, "a and more");
    expect(await changed.edit("a and", "b")).toEqual(
      failed(`"${changed.file}" has changed since it was read; read it again`),
    );
    expect(changed.text()).toBe("a and more");
  });

  test("refuses what it could not write back as it was", async () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62]);
    const { file, edit } = await world(bytes);
    expect(await edit("a", "b")).toEqual(failed(`"${file}" is not UTF-8 text; change it with Bash`));
    expect(fs.readFileSync(file)).toEqual(bytes);
  });

  test("keeps the mode of the file and the link to it", async () => {
    const { file, context, edit } = await world("a");
    const link = path.join(context.cwd, "link");
    fs.chmodSync(file, 0o777);
    fs.symlinkSync(file, link);
    await callTool(readTool, { file_path: link }, context);
    await callTool(editTool, { file_path: link, old_string: "a", new_string: "b" }, context);
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
    expect(fs.statSync(file).mode & 0o777).toBe(0o777);
    expect(await edit("b", "c")).toMatchObject({ isError: true });
    expect(fs.readFileSync(file, "utf8")).toBe("b");
    expect(fs.readdirSync(context.cwd)).toEqual(["a.txt", "link"]);
  });

  test("writes in place what has a second name", async () => {
    const { file, context, edit } = await world("a");
    const other = path.join(context.cwd, "other");
    fs.linkSync(file, other);
    await edit("a", "b");
    expect(fs.readFileSync(other, "utf8")).toBe("b");
  });

  test("keeps Windows lines, and a byte order mark", async () => {
    const { edit, text } = await world("\ufeffone\r\ntwo\r\n");
    await edit("one\ntwo", "1\n2");
    expect(text()).toBe("\ufeff1\r\n2\r\n");
  });
});
