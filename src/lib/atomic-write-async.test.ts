import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../test/support/temp-dir.ts";
import { createFileAtomicAsync } from "./atomic-write-async.ts";

describe("createFileAtomicAsync()", () => {
  test("creates a private file whole and leaves nothing else", async () => {
    const dir = tempDir();
    const file = path.join(dir, "record.json");
    const umask = process.umask(0);
    try {
      await createFileAtomicAsync(file, "text äöü");
    } finally {
      process.umask(umask);
    }
    expect(fs.readFileSync(file, "utf8")).toBe("text äöü");
    expect(fs.statSync(file)).toMatchObject({ nlink: 1, mode: 0o100600 });
    expect(fs.readdirSync(dir)).toEqual(["record.json"]);
  });

  test("throws EEXIST and leaves what is there, be it a file or a link", async () => {
    const dir = tempDir();
    const victim = path.join(dir, "victim");
    fs.writeFileSync(victim, "precious");
    fs.symlinkSync(victim, path.join(dir, "link"));
    fs.symlinkSync(path.join(dir, "nowhere"), path.join(dir, "dangling"));
    for (const name of ["victim", "link", "dangling"])
      await expect(createFileAtomicAsync(path.join(dir, name), "new")).rejects.toMatchObject({
        code: "EEXIST",
      });
    expect(fs.readFileSync(victim, "utf8")).toBe("precious");
    expect(fs.readdirSync(dir).toSorted()).toEqual(["dangling", "link", "victim"]);
  });

  test("has one winner among many", async () => {
    const dir = tempDir();
    const file = path.join(dir, "one");
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => createFileAtomicAsync(file, `writer ${n}`)),
    );
    const winners = results.flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(fs.readFileSync(file, "utf8")).toBe(`writer ${winners[0]}`);
    expect(fs.readdirSync(dir)).toEqual(["one"]);
  });

  test("throws what the disk says when the folder is not there", async () => {
    const file = path.join(tempDir(), "none", "file");
    await expect(createFileAtomicAsync(file, "x")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
