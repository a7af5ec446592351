import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { packedFrameBytesMax } from "../../format/limits.ts";
import { digestOf, packFile } from "./pack-file.ts";
import { openPacked, packedContentBytes, readPacked } from "./read-packed.ts";

async function packed(content: Buffer): Promise<{ from: string; to: string }> {
  const dir = tempDir();
  const names = { from: path.join(dir, "file"), to: path.join(dir, "file.zst") };
  fs.writeFileSync(names.from, content);
  await packFile(names);
  return names;
}

const long = Buffer.concat([
  Buffer.alloc(packedFrameBytesMax, "many equal words "),
  randomBytes(1000),
  Buffer.from("the end ü"),
]);

describe("packFile()", () => {
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["one byte", Buffer.from("x")],
    ["exactly one frame", Buffer.alloc(packedFrameBytesMax, "y")],
    ["more than one frame", long],
  ])("packs a file of %s so that its readers give it back", async (_, content) => {
    const { from, to } = await packed(content);
    expect(Buffer.concat([...readPacked(to)]).equals(content)).toBe(true);
    expect(packedContentBytes(to)).toBe(content.length);
    const fd = openPacked(to);
    try {
      const whole = Buffer.alloc(content.length);
      fs.readSync(fd, whole, 0, whole.length, 0);
      expect(whole.equals(content)).toBe(true);
    } finally {
      fs.closeSync(fd);
    }
    expect(fs.readdirSync(path.dirname(to))).toEqual(["file", "file.zst"]);
    expect(digestOf(from)).toHaveLength(64);
  });

  test("packs a file so that zstd itself gives it back", async ({ skip }) => {
    const { to } = await packed(long);
    const zstd = spawnSync("zstd", ["-dc", to], { maxBuffer: 2 * long.length });
    if (zstd.error) skip("Skipped: zstd is not on this machine");
    expect(zstd.stdout.equals(long)).toBe(true);
  });

  test("replaces nothing", async () => {
    const { from, to } = await packed(Buffer.from("x"));
    await expect(packFile({ from, to })).rejects.toMatchObject({ code: "EEXIST" });
  });
});

describe("readPacked()", () => {
  test("begins in the middle without unpacking what is before", async () => {
    const { to } = await packed(long);
    // A first frame that cannot be unpacked does not matter to who begins behind it.
    const fd = fs.openSync(to, "r+");
    fs.writeSync(fd, Buffer.alloc(8), 0, 8, 0);
    fs.closeSync(fd);
    const from = packedFrameBytesMax + 990;
    expect(Buffer.concat([...readPacked(to, { from })]).equals(long.subarray(from))).toBe(true);
    expect(() => [...readPacked(to)]).toThrow(expect.objectContaining({ code: "archive_damaged" }));
  });

  test.each([
    ["cut short", (bytes: Buffer) => bytes.subarray(0, bytes.length - 5)],
    ["empty", () => Buffer.alloc(0)],
    ["longer than it was", (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(9)])],
    ["changed in its content", (bytes: Buffer) => Buffer.from(bytes).fill(1, 20, 40)],
    [
      "changed in its table",
      (bytes: Buffer) => Buffer.from(bytes).fill(7, bytes.length - 20, bytes.length - 12),
    ],
  ])("throws archive_damaged for a file that is %s", async (_, damage) => {
    const { to } = await packed(Buffer.from("some words, ".repeat(100)));
    fs.writeFileSync(to, damage(fs.readFileSync(to)));
    expect(() => [...readPacked(to)]).toThrow(expect.objectContaining({ code: "archive_damaged" }));
    expect(() => openPacked(to)).toThrow(expect.objectContaining({ code: "archive_damaged" }));
  });
});
