import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { failingFileOps, tempDir } from "../../test/support/index.ts";
import { createFileAtomic, writeFileAtomic, writeFully } from "./atomic-write.ts";

test("writeFileAtomic() makes a private file and replaces it whole", () => {
  const dir = tempDir();
  const file = path.join(dir, "f.json");
  writeFileAtomic(file, "old");
  writeFileAtomic(file, Buffer.from("new"));
  expect([fs.readFileSync(file, "utf8"), fs.statSync(file).mode & 0o777, fs.readdirSync(dir)]).toEqual([
    "new",
    0o600,
    ["f.json"],
  ]);
});

test("writeFileAtomic() replaces a link, and never writes to what it leads to", () => {
  const dir = tempDir();
  fs.writeFileSync(path.join(dir, "target"), "untouched");
  fs.symlinkSync(path.join(dir, "target"), path.join(dir, "f"));
  writeFileAtomic(path.join(dir, "f"), "new");
  expect([
    fs.readFileSync(path.join(dir, "target"), "utf8"),
    fs.lstatSync(path.join(dir, "f")).isFile(),
  ]).toEqual(["untouched", true]);
});

test("createFileAtomic() throws EEXIST and keeps the file that is there", () => {
  const dir = tempDir();
  const file = path.join(dir, "f");
  createFileAtomic(file, "first");
  expect(() => createFileAtomic(file, "second")).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect([fs.readFileSync(file, "utf8"), fs.readdirSync(dir)]).toEqual(["first", ["f"]]);
});

test("createFileAtomic() does not follow a dangling link", () => {
  const dir = tempDir();
  fs.symlinkSync(path.join(dir, "elsewhere"), path.join(dir, "f"));
  expect(() => createFileAtomic(path.join(dir, "f"), "x")).toThrow(
    expect.objectContaining({ code: "EEXIST" }),
  );
  expect(fs.readdirSync(dir)).toEqual(["f"]);
});

test.each([
  ["open", 1],
  ["write", 1],
  ["sync", 1],
  ["rename", 1],
] as const)("writeFileAtomic() leaves the old file and no litter when %s number %i fails", (call, n) => {
  const dir = tempDir();
  const file = path.join(dir, "f");
  fs.writeFileSync(file, "old");
  const { files } = failingFileOps(n, { call, error: "EIO" });
  expect(() => writeFileAtomic(file, "new", { files })).toThrow("EIO");
  expect([fs.readFileSync(file, "utf8"), fs.readdirSync(dir)]).toEqual(["old", ["f"]]);
});

test.each([
  ["open", 1],
  ["write", 1],
  ["sync", 1],
  ["link", 1],
] as const)("createFileAtomic() leaves nothing when %s number %i fails", (call, n) => {
  const dir = tempDir();
  const { files } = failingFileOps(n, { call, error: "ENOSPC" });
  expect(() => createFileAtomic(path.join(dir, "f"), "new", { files })).toThrow("ENOSPC");
  expect(fs.readdirSync(dir)).toEqual([]);
});

test("writeFully() goes on after a short write", () => {
  const file = path.join(tempDir(), "f");
  const fd = fs.openSync(file, "w");
  writeFully(fd, Buffer.from("0123456789"), failingFileOps(1, { call: "write", short: true }).files);
  fs.closeSync(fd);
  expect(fs.readFileSync(file, "utf8")).toBe("0123456789");
});

test.each(["x".repeat(255), "é".repeat(127), "€".repeat(85)])(
  "writeFileAtomic() and createFileAtomic() take the longest name that a file may have",
  (name) => {
    const dir = tempDir();
    createFileAtomic(path.join(dir, name), "one");
    writeFileAtomic(path.join(dir, name), "two");
    expect([fs.readdirSync(dir), fs.readFileSync(path.join(dir, name), "utf8")]).toEqual([[name], "two"]);
  },
);
