import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { failingFileOps, tempDir } from "../../test/support/index.ts";
import { childPath, ensurePrivateDir, syncDir } from "./private-dir.ts";

test("ensurePrivateDir() makes the folder and its parents for the owner alone, and again without harm", () => {
  const dir = path.join(tempDir(), "a", "b");
  expect([ensurePrivateDir(dir), ensurePrivateDir(dir)]).toEqual([dir, dir]);
  expect([fs.statSync(dir).mode & 0o777, fs.statSync(path.dirname(dir)).mode & 0o777]).toEqual([
    0o700, 0o700,
  ]);
});

test.each<[string, (at: string) => void]>([
  ["a link to a folder", (at) => fs.symlinkSync(path.dirname(at), at)],
  ["a link to nowhere", (at) => fs.symlinkSync(path.join(path.dirname(at), "nowhere"), at)],
  ["a file", (at) => fs.writeFileSync(at, "x")],
])("ensurePrivateDir() refuses %s that stands in the way", (_case, plant) => {
  const root = tempDir();
  const dir = path.join(root, "state");
  plant(dir);
  expect(() => ensurePrivateDir(dir)).toThrow(
    expect.objectContaining({
      code: "unsafe_path",
      message: `Cannot use folder "${dir}": it is a link or not a folder; remove it`,
      fields: { path: dir },
    }),
  );
  expect(fs.readdirSync(root)).toEqual(["state"]);
});

test("syncDir() throws what the system says and closes what it opened", () => {
  const dir = tempDir();
  syncDir(dir);
  expect(() => syncDir(dir, failingFileOps(1, { call: "sync", error: "EIO" }).files)).toThrow("EIO");
  expect(() => syncDir(path.join(dir, "missing"))).toThrow(expect.objectContaining({ code: "ENOENT" }));
});

test("childPath() joins a plain name to a folder, however the folder is written", () => {
  expect([
    childPath("/a", "b.json"),
    childPath("/a/", "b"),
    childPath("rel", "..b"),
    childPath(".", "b"),
  ]).toEqual(["/a/b.json", "/a/b", "rel/..b", "b"]);
});

test.each(["", ".", "..", "../b", "b/", "b/c", "/b", "b\0c"])("childPath() refuses %j", (name) => {
  expect(() => childPath("/a", name)).toThrow(expect.objectContaining({ code: "invalid_name" }));
});

test("ensurePrivateDir() says what the system says where a folder can never be made", () => {
  expect(() => ensurePrivateDir("/proc/holdfast/projects")).toThrow(
    expect.objectContaining({ code: "ENOENT" }),
  );
});
