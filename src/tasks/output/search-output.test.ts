import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { searchInThread } from "./search-in-thread.ts";
import type { OutputFound, OutputQuery } from "./search-output.ts";

async function search(text: string | Buffer, query: OutputQuery, signal = new AbortController().signal) {
  const file = path.join(tempDir(), "b1.output");
  fs.writeFileSync(file, text);
  const found: OutputFound[] = [];
  for await (const each of searchInThread(file, query, { signal })) found.push(each);
  const offsets = found.flatMap((each) => (each.kind === "found" ? each.offsets : []));
  const last = found.at(-1);
  if (!last || last.kind === "found") throw new Error("It did not say that it was done");
  return { offsets, last };
}

test("searchInThread() names matches by their bytes, and counts all", async () => {
  const { offsets, last } = await search("ö Error\nno\nerror error", { q: "error" });
  expect(offsets).toEqual([
    [3, 5],
    [12, 5],
    [18, 5],
  ]);
  expect(last).toMatchObject({ kind: "done", count: 3, searchedBytes: 23, totalBytes: 23 });
  const exact = await search("ö Error\nno\nerror error", {
    q: "error",
    isCaseSensitive: true,
    offsetsMax: 1,
  });
  expect(exact.offsets).toEqual([[12, 5]]);
  expect(exact.last.count).toBe(2);
  expect((await search("a.c abc", { q: "a.c" })).last.count).toBe(1);
  expect((await search("a.c abc\nx", { q: "^a.c|^x", isRegex: true })).last.count).toBe(2);
});

test("searchInThread() finds what lies over the edge of two reads, and in bytes that are no text", async () => {
  const line = `${"x".repeat(99)}\n`;
  const text = `${line.repeat(10_485)}${"y".repeat(70)}needle${line.repeat(2)}`;
  const { offsets, last } = await search(text, { q: "needle" });
  expect(offsets).toEqual([[1_048_570, 6]]);
  // The marks are 512 equal parts.
  expect(last.marks.reduce((sum, each) => sum + each, 0)).toBe(1);
  expect(last.marks[511]).toBe(1);
  const binary = Buffer.concat([Buffer.from([0xff, 0xfe, 0]), Buffer.from("needle")]);
  expect((await search(binary, { q: "needle" })).offsets).toEqual([[3, 6]]);
});

test("searchInThread() refuses what is no expression, and gives up one that never ends", async () => {
  await expect(search("x", { q: "(", isRegex: true })).rejects.toMatchObject({ code: "task_refused" });
  const giveUp = new AbortController();
  const forEver = search(`${"a".repeat(60)}!`, { q: "(a+)+$", isRegex: true }, giveUp.signal);
  setTimeout(() => giveUp.abort(), 300);
  await expect(forEver).rejects.toThrow("It did not say that it was done");
});
