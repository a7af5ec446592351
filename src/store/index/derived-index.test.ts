import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { testHome } from "../../../test/support/index.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { CoveredFiles } from "./covered-files.ts";
import { DerivedIndex, type IndexTrouble } from "./derived-index.ts";
import { INDEX_VERSION } from "./tables.ts";

interface Opened {
  index: DerivedIndex;
  files: CoveredFiles;
  troubles: IndexTrouble[];
}

const coverage = { inode: 1, size: 2, mtimeMs: 3.5, to: 2, head: "h", tail: "t" };

function indexDir(): string {
  return holdfastPaths(testHome().home).indexDir;
}

function open(dir: string): Opened {
  const troubles: IndexTrouble[] = [];
  const index = new DerivedIndex(dir, { onTrouble: (trouble) => troubles.push(trouble) });
  return { index, files: new CoveredFiles(index, "listing"), troubles };
}

/** An index that knows one file; closed. */
function made(): string {
  const dir = indexDir();
  const { index, files } = open(dir);
  expect(index.write(() => files.keep(files.cover("/a", coverage), "{}"))).toBe(true);
  index.close();
  return dir;
}

describe("DerivedIndex", () => {
  test("holds what was written, for nobody else to read", () => {
    const dir = made();
    const { index, files, troubles } = open(dir);
    expect(files.find("/a")).toEqual({ id: 1, inode: 1, size: 2, mtimeMs: 3.5 });
    expect(files.coverageOf(1)).toEqual(coverage);
    expect(files.dataOf(1)).toBe("{}");
    expect(fs.statSync(path.join(dir, "index.db")).mode & 0o777).toBe(0o600);
    index.close();
    expect(troubles).toEqual([]);
  });

  test("is not made by questions", () => {
    const dir = indexDir();
    const { index, files, troubles } = open(dir);
    expect(files.list()).toEqual(new Map());
    index.close();
    expect(fs.existsSync(dir)).toBe(false);
    expect(troubles).toEqual([]);
  });

  test("does all of a write or nothing, and throws what is not the index's fault", () => {
    const { index, files } = open(made());
    expect(() =>
      index.write(() => {
        files.cover("/b", coverage);
        throw new Error("not now");
      }),
    ).toThrow("not now");
    expect([...files.list().keys()]).toEqual(["/a"]);
    index.close();
  });

  test("removes the stores that it replaces once it stands", () => {
    const dir = indexDir();
    fs.mkdirSync(path.join(dir, "offsets"), { recursive: true, mode: 0o700 });
    const older = [
      "sessions.json",
      "usage.bin",
      "usage-sums.bin",
      "health.json",
      "search.db",
      "search.db-wal",
    ];
    for (const name of older) fs.writeFileSync(path.join(dir, name), "x");
    const { index, files } = open(dir);
    files.list();
    expect(fs.readdirSync(dir)).toHaveLength(older.length + 1);
    index.write(() => files.cover("/a", coverage));
    index.close();
    expect(fs.readdirSync(dir)).toEqual(["index.db"]);
  });

  test("leaves one of a newer version alone, and says so", () => {
    const dir = made();
    setVersion(dir, 99);
    const { index, files, troubles } = open(dir);
    expect(files.list()).toEqual(new Map());
    expect(index.write(() => files.cover("/b", coverage))).toBe(false);
    index.close();
    expect(troubles).toEqual(["newer"]);
    setVersion(dir, INDEX_VERSION);
    const after = open(dir);
    expect([...after.files.list().keys()]).toEqual(["/a"]);
    after.index.close();
  });

  test("makes an outdated one anew", () => {
    const dir = made();
    setVersion(dir, -1);
    const { index, files, troubles } = open(dir);
    expect(files.list()).toEqual(new Map());
    expect(index.write(() => files.cover("/b", coverage))).toBe(true);
    expect([...files.list().keys()]).toEqual(["/b"]);
    index.close();
    expect(troubles).toEqual([]);
  });

  const damages: [string, (file: string) => void][] = [
    ["random bytes", (file) => fs.writeFileSync(file, Buffer.alloc(9000, "no database"))],
    ["a page of zeros behind the first", (file) => overwrite(file, 4096)],
    ["a table that is gone", (file) => execute(file, "DROP TABLE files")],
  ];
  test.each(damages)("is made anew after %s, and says so", (_, damage) => {
    const dir = made();
    damage(path.join(dir, "index.db"));
    const { index, files, troubles } = open(dir);
    expect(files.list()).toEqual(new Map());
    expect(index.write(() => files.cover("/b", coverage))).toBe(true);
    expect([...files.list().keys()]).toEqual(["/b"]);
    index.close();
    expect(troubles).toEqual(["damaged"]);
    expect(fs.readdirSync(path.dirname(dir))).toEqual([path.basename(dir)]);
  });

  test("takes a write back when damage is found by a question in the middle of it", () => {
    const dir = made();
    execute(path.join(dir, "index.db"), "DROP TABLE tasks");
    const { index, files, troubles } = open(dir);
    const isWritten = index.write(() => {
      files.cover("/b", coverage);
      index.rows("SELECT * FROM tasks");
      files.cover("/c", coverage);
    });
    expect(isWritten).toBe(false);
    expect(troubles).toEqual(["damaged"]);
    expect(index.write(() => files.cover("/d", coverage))).toBe(true);
    expect([...files.list().keys()]).toEqual(["/d"]);
    index.close();
  });

  test("answers reliably, or not at all; what it rejects as damaged is made anew at once", () => {
    const dir = made();
    const { index, files, troubles } = open(dir);
    let attempts = 0;
    const paths = index.reliably(() => {
      if (attempts++ === 0) index.reject();
      if (files.list().size === 0) index.write(() => files.cover("/c", coverage));
      return [...files.list().keys()];
    });
    expect({ paths, attempts, troubles }).toEqual({
      paths: { result: ["/c"] },
      attempts: 2,
      troubles: ["damaged"],
    });
    expect(() => index.reliably(() => expect.unreachable("asked"))).toThrow("asked");
    index.close();
    setVersion(dir, 99);
    const newer = open(dir);
    expect(newer.index.reliably(() => newer.index.write(() => {}))).toBeUndefined();
    newer.index.close();
  });

  test("has the same tables in memory, for nobody else", () => {
    const index = DerivedIndex.inMemory();
    const files = new CoveredFiles(index, "listing");
    expect(index.write(() => files.cover("/a", coverage))).toBe(true);
    expect([...files.list().keys()]).toEqual(["/a"]);
    index.close();
  });

  test("goes on without what it may not read or write", () => {
    const dir = indexDir();
    fs.mkdirSync(path.dirname(dir), { recursive: true });
    fs.writeFileSync(dir, "a file where the folder should be");
    const { index, files, troubles } = open(dir);
    expect(files.list()).toEqual(new Map());
    expect(index.write(() => files.cover("/b", coverage))).toBe(false);
    expect(troubles).toEqual(["unwritable"]);
    index.close();
  });

  test("does not wait long for another that writes, and reads what was there before", () => {
    const dir = made();
    const other = new DatabaseSync(path.join(dir, "index.db"));
    other.exec("BEGIN IMMEDIATE; DELETE FROM files");
    const { index, files, troubles } = open(dir);
    expect([...files.list().keys()]).toEqual(["/a"]);
    expect(index.write(() => files.cover("/b", coverage))).toBe(false);
    expect(troubles).toEqual(["busy"]);
    other.exec("COMMIT");
    other.close();
    expect(index.write(() => files.cover("/b", coverage))).toBe(true);
    index.close();
  });
});

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

function setVersion(dir: string, version: number): void {
  execute(path.join(dir, "index.db"), `PRAGMA user_version = ${version}`);
}

function overwrite(file: string, at: number): void {
  const fd = fs.openSync(file, "r+");
  fs.writeSync(fd, Buffer.alloc(4096), 0, 4096, at);
  fs.closeSync(fd);
}
