import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { CoveredFiles, type LookedAtFile } from "./covered-files.ts";
import { DerivedIndex } from "./derived-index.ts";
import { FoundFiles } from "./found-files.ts";

interface Folder {
  dir: string;
  index: DerivedIndex;
  covered: CoveredFiles;
  look: () => LookedAtFile[];
}

/** A folder with three files, two of them alike, and one below; all of them covered. */
function coveredFolder(): Folder {
  const dir = path.join(tempDir(), "folder");
  fs.mkdirSync(path.join(dir, "below"), { recursive: true });
  for (const name of ["a", "b", "cc", "below/d"]) fs.writeFileSync(path.join(dir, name), name.slice(-2));
  const index = DerivedIndex.inMemory();
  const covered = new CoveredFiles(index, "usage");
  const look = (): LookedAtFile[] => lookAt(dir);
  for (const { path: file, bytes, inode, mtimeMs } of look())
    covered.cover(file, { inode, mtimeMs, size: bytes, to: bytes, head: "", tail: "" });
  return { dir, index, covered, look };
}

function lookAt(dir: string): LookedAtFile[] {
  const names = fs.readdirSync(dir, { recursive: true, encoding: "utf8" });
  const files = names.map((name) => path.join(dir, name)).filter((file) => fs.statSync(file).isFile());
  return files.map((file) => {
    const { size, ino, mtimeMs } = fs.statSync(file);
    return { path: file, bytes: size, inode: ino, mtimeMs };
  });
}

const changes: [string, (dir: string) => void][] = [
  ["grew", (dir) => fs.appendFileSync(`${dir}/a`, "more")],
  ["was written again, as long as before", (dir) => touch(`${dir}/a`, 0.001)],
  ["was touched an hour later", (dir) => touch(`${dir}/below/d`, 3600)],
  ["was replaced by another", (dir) => replace(`${dir}/b`)],
  ["has another name", (dir) => fs.renameSync(`${dir}/a`, `${dir}/z`)],
  ["lies in another folder below", (dir) => fs.renameSync(`${dir}/below`, `${dir}/beside`)],
  ["exchanged its name with another", (dir) => exchange(`${dir}/a`, `${dir}/b`)],
  ["is gone", (dir) => fs.rmSync(`${dir}/below/d`)],
  ["is new, and empty", (dir) => fs.writeFileSync(`${dir}/new`, "")],
  ["gave its end to another", (dir) => moveEnd(`${dir}/cc`, `${dir}/a`)],
];

function touch(file: string, seconds: number): void {
  const { atime, mtimeMs } = fs.statSync(file);
  fs.utimesSync(file, atime, mtimeMs / 1000 + seconds);
}

function replace(file: string): void {
  const { atime, mtime } = fs.statSync(file);
  fs.copyFileSync(file, `${file}.new`);
  fs.utimesSync(`${file}.new`, atime, mtime);
  fs.renameSync(`${file}.new`, file);
}

function exchange(one: string, other: string): void {
  fs.renameSync(one, `${one}.moved`);
  fs.renameSync(other, one);
  fs.renameSync(`${one}.moved`, other);
}

function moveEnd(from: string, to: string): void {
  const times = [from, to].map((file) => [file, fs.statSync(file)] as const);
  fs.truncateSync(from, 1);
  fs.appendFileSync(to, "c");
  for (const [file, { atime, mtime }] of times) fs.utimesSync(file, atime, mtime);
}

describe("files of a folder, compared all at once", () => {
  test("are as covered in any order, while nothing changes; a file beside the folder does not count", () => {
    const { dir, covered, look } = coveredFolder();
    covered.cover(`${dir}-beside/a`, { inode: 1, size: 1, mtimeMs: 1, to: 1, head: "", tail: "" });
    expect(look()).toHaveLength(4);
    expect(covered.areAsCovered(dir, look())).toBe(true);
    expect(covered.areAsCovered(dir, look().toReversed())).toBe(true);
    expect(covered.areAsCovered(`${dir}-empty`, [])).toBe(true);
    expect(covered.areAsCovered(`${dir}-empty`, look())).toBe(false);
  });

  test.each(changes)("are not as covered when one %s", (_, change) => {
    const { dir, covered, look } = coveredFolder();
    change(dir);
    expect(covered.areAsCovered(dir, look())).toBe(false);
  });

  test.each([
    ["a row is missing", "DELETE FROM files WHERE id = 1"],
    ["a row is of another part", "UPDATE files SET part = 'words' WHERE id = 1"],
    ["stamps are others", "UPDATE files SET stamp = stamp + 1"],
    ["sizes are too large to add up", "UPDATE files SET size = 9223372036854775807"],
    ["stamps are none", "UPDATE files SET stamp = 'none'"],
    ["sizes are others", "UPDATE files SET size = size + 1"],
  ])("are not as covered when %s", (_, sql) => {
    const { dir, index, covered, look } = coveredFolder();
    index.run(sql);
    expect(covered.areAsCovered(dir, look())).toBe(false);
  });

  test("are found by folder as they are one by one", () => {
    const { dir, covered, look } = coveredFolder();
    const ids = [...covered.list().values()].map(({ id }) => id);
    const found = new FoundFiles(covered);
    expect([found.areAll(), found.ids]).toEqual([false, new Set()]);
    expect(found.addFolder(dir, look())).toBe(true);
    expect([found.areAll(), found.size, found.ids]).toEqual([true, 4, new Set(ids)]);
    covered.cover("/elsewhere", { inode: 1, size: 1, mtimeMs: 1, to: 1, head: "", tail: "" });
    expect(found.areAll()).toBe(false);
    expect(covered.othersThan(found.ids)).toEqual([5]);
  });
});
