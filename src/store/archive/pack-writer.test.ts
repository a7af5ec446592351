import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { packBytesMax, packItemsMax, packedFrameBytesMax, packedGroupBytes } from "./limits.ts";
import { copiesIn } from "./archived-copies.ts";
import { PackWriter } from "./pack-writer.ts";
import { packedAddress } from "./packed-address.ts";
import { openPackedFile } from "./packed-file.ts";
import { openPacked, readPacked } from "./read-packed.ts";

const long = Buffer.concat([
  Buffer.alloc(packedFrameBytesMax, "many equal words "),
  randomBytes(1000),
  Buffer.from("the end ü"),
]);

interface Packed {
  pack: string;
  /** Where each content is. */
  addresses: string[];
}

/** A pack of one session whose files have these contents. */
async function packed(...contents: Buffer[]): Promise<Packed> {
  const dir = tempDir();
  const writer = new PackWriter(dir);
  const items = [];
  for (const [number, content] of contents.entries()) {
    const file = path.join(dir, `file ${number}`);
    fs.writeFileSync(file, content);
    const stored = await writer.addFile(file, () => {});
    items.push({ path: `projects/p/${number}.jsonl`, ...stored, mode: 0o600, modifiedAt: "" });
  }
  const manifest = {
    version: 2,
    sessionId: "s",
    project: "p",
    archivedAt: "",
    summary: { sessionId: "s", project: "p", updatedAt: "", bytes: 0 },
    items,
  } as const;
  await writer.finish([{ manifest, modifiedMs: 1 }]);
  const pack = path.join(dir, "1-0.pack.zst");
  fs.renameSync(writer.path, pack);
  writer.discard();
  return { pack, addresses: items.map((item) => packedAddress(pack, item)) };
}

function contentOf(address: string): Buffer {
  return Buffer.concat([...readPacked(address)]);
}

const small = (number: number): Buffer => Buffer.from(`${number} `.repeat(20_000));

describe("PackWriter", () => {
  test("packs files of any size so that its readers give each of them back", async () => {
    const contents = [
      Buffer.alloc(0),
      Buffer.from("x"),
      Buffer.alloc(packedGroupBytes, "y"),
      Buffer.alloc(packedFrameBytesMax, "z"),
      long,
      ...Array.from({ length: 20 }, (_, number) => small(number)),
      Buffer.alloc(0),
    ];
    const { pack, addresses } = await packed(...contents);
    expect(addresses.map((address, number) => contentOf(address).equals(contents[number]!))).not.toContain(
      false,
    );
    for (const [number, address] of addresses.entries()) {
      const fd = openPacked(address);
      try {
        expect(fs.readFileSync(fd).equals(Buffer.alloc(0)), "it stands at its end").toBe(true);
        const whole = Buffer.alloc(fs.fstatSync(fd).size);
        fs.readSync(fd, whole, 0, whole.length, 0);
        expect(whole.equals(contents[number]!)).toBe(true);
      } finally {
        fs.closeSync(fd);
      }
    }
    const [manifest] = copiesIn(pack).map((copy) => copy.readManifest());
    expect(manifest?.items).toEqual(
      addresses.map((address, number) => ({
        path: `projects/p/${number}.jsonl`,
        bytes: contents[number]!.length,
        sha256: createHash("sha256").update(contents[number]!).digest("hex"),
        mode: 0o600,
        modifiedAt: "",
        packed: address,
      })),
    );
    // Nothing but the files of this test: what openPacked made has no name.
    expect(fs.readdirSync(path.dirname(pack)).filter((name) => !name.startsWith("file "))).toEqual([
      path.basename(pack),
    ]);
  });

  test("lets small files share a frame, and none of them share one with a large file", async () => {
    const { pack, addresses } = await packed(small(1), small(2), long, small(3), small(4));
    const file = openPackedFile(pack);
    file.close();
    const holders = addresses.map((address) => {
      const [, at, bytes] = /\/(\d+)-(\d+)\//.exec(address)!.map(Number);
      return file.frames.flatMap(({ offset, bytes: length }, index) =>
        offset < at! + bytes! && offset + length > at! ? [index] : [],
      );
    });
    // The short rest of a large file counts as a small one.
    expect(holders).toEqual([[0], [0], [1, 2], [2], [2]]);
  });

  test("has room for so many bytes and files, and for anything while it is empty", async () => {
    const dir = tempDir();
    const file = path.join(dir, "file");
    fs.writeFileSync(file, "x".repeat(1000));
    const writer = new PackWriter(dir);
    expect(writer.hasRoomFor({ bytes: 10 * packBytesMax, items: 10 * packItemsMax })).toBe(true);
    await writer.addFile(file, () => {});
    expect(
      [
        { bytes: packBytesMax - 1000, items: packItemsMax - 1 },
        { bytes: packBytesMax - 999, items: 1 },
        { bytes: 1, items: packItemsMax },
      ].map((session) => writer.hasRoomFor(session)),
    ).toEqual([true, false, false]);
    writer.discard();
    expect(fs.readdirSync(dir)).toEqual(["file"]);
  });

  test("writes what zstd itself gives back, with the directory at the end", async ({ skip }) => {
    const { pack } = await packed(long, small(1));
    const zstd = spawnSync("zstd", ["-dc", pack], { maxBuffer: 2 * long.length });
    if (zstd.error) skip("Skipped: zstd is not on this machine");
    expect(zstd.stdout.subarray(0, long.length).equals(long)).toBe(true);
    const lines = zstd.stdout.toString("utf8", long.length).trimEnd().split("\n");
    const { sessions } = JSON.parse(lines.at(-1)!) as { sessions: { at: number; bytes: number }[] };
    const manifest = zstd.stdout.toString("utf8", sessions[0]!.at, sessions[0]!.at + sessions[0]!.bytes);
    expect(JSON.parse(manifest)).toMatchObject({
      sessionId: "s",
      items: [{ at: 0, bytes: long.length }, {}],
    });
  });
});

describe("readPacked()", () => {
  test("unpacks only the frames that hold what is wanted", async () => {
    const { pack, addresses } = await packed(long, small(1));
    // A first frame that cannot be unpacked does not matter to who wants what stands behind it.
    const fd = fs.openSync(pack, "r+");
    fs.writeSync(fd, Buffer.alloc(8), 0, 8, 0);
    fs.closeSync(fd);
    expect(contentOf(addresses[1]!).equals(small(1))).toBe(true);
    expect(() => contentOf(addresses[0]!)).toThrow(expect.objectContaining({ code: "archive_damaged" }));
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
  ])("throws archive_damaged for a pack that is %s", async (_, damage) => {
    const { pack, addresses } = await packed(Buffer.from("some words, ".repeat(100)));
    contentOf(addresses[0]!);
    fs.writeFileSync(pack, damage(fs.readFileSync(pack)));
    expect(() => contentOf(addresses[0]!)).toThrow(expect.objectContaining({ code: "archive_damaged" }));
    expect(() => openPacked(addresses[0]!)).toThrow(expect.objectContaining({ code: "archive_damaged" }));
  });

  test("throws archive_damaged for a place behind the end of the pack", async () => {
    const { pack } = await packed(Buffer.from("some words"));
    const beyond = packedAddress(pack, { at: 3, bytes: 100_000, path: "x" });
    expect(() => contentOf(beyond)).toThrow(expect.objectContaining({ code: "archive_damaged" }));
  });
});
