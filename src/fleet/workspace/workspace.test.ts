import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { carefulGit } from "./git.ts";
import { packWorkspace, type PackedWorkspace } from "./pack-workspace.ts";
import { unpackWorkspace } from "./unpack-workspace.ts";

const git = carefulGit(process.env);

function repository(): { dir: string; run: (...args: string[]) => string } {
  const dir = tempDir();
  const identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
  const run = (...args: string[]): string =>
    execFileSync("git", [...identity, ...args], { cwd: dir, encoding: "utf8" }).trim();
  run("init", "-q", "-b", "main");
  return { dir, run };
}

function write(dir: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
}

async function pack(cwd: string, since?: string): Promise<PackedWorkspace | undefined> {
  return packWorkspace(git, { cwd, tempDir: tempDir(), since, links: false, onRefused: "throw" });
}

function unpack(packed: PackedWorkspace, dir: string): Promise<void> {
  return unpackWorkspace(git, { ...packed, dir, links: false });
}

function listed(dir: string): string[] {
  return fs
    .readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.split("/").includes(".git") && fs.statSync(path.join(dir, name)).isFile())
    .map((name) => `${name}: ${fs.readFileSync(path.join(dir, name), "utf8")}`)
    .toSorted();
}

describe("packWorkspace()", () => {
  test("carries history and what is not committed, and leaves the repository as it is", async () => {
    const { dir, run } = repository();
    write(dir, { "a.txt": "1", "gone.txt": "x", ".gitignore": "ignored.txt\n", "sub/b.txt": "2" });
    run("add", "-A");
    run("commit", "-qm", "one");
    write(dir, { "a.txt": "changed", "new.txt": "new", "ignored.txt": "secret" });
    fs.rmSync(path.join(dir, "gone.txt"));
    const before = [run("status", "--porcelain"), run("count-objects")];
    const packed = (await pack(path.join(dir, "sub")))!;
    expect([run("status", "--porcelain"), run("count-objects")]).toEqual(before);
    expect(packed).toMatchObject({ base: run("rev-parse", "HEAD"), hasHistory: true, subdir: "sub" });

    const target = path.join(tempDir(), "there");
    await unpack(packed, target);
    expect(listed(target)).toEqual([
      ".gitignore: ignored.txt\n",
      "a.txt: changed",
      "new.txt: new",
      "sub/b.txt: 2",
    ]);
    const there = (...args: string[]): string => execFileSync("git", args, { cwd: target, encoding: "utf8" });
    expect(there("status", "--porcelain").split("\n").toSorted()).toEqual([
      "",
      " D gone.txt",
      " M a.txt",
      "?? new.txt",
    ]);
    expect(there("log", "--format=%s").trim()).toBe("one");
  });

  test("sends only what came after a commit that the other side has, and nothing when nothing did", async () => {
    const { dir, run } = repository();
    write(dir, { "a.txt": "1", "large.bin": "x".repeat(200_000) });
    run("add", "-A");
    run("commit", "-qm", "one");
    const first = (await pack(dir))!;
    const target = path.join(tempDir(), "there");
    await unpack(first, target);
    expect(await pack(target, first.work)).toBeUndefined();
    write(target, { "b.txt": "2" });
    const second = (await pack(target, first.work))!;
    expect(second.bytes).toBeLessThan(2000);
    const again = path.join(tempDir(), "again");
    await unpack(first, again);
    await unpack(second, again);
    expect(listed(again)).toEqual(listed(target));
  });

  test("carries a folder that is no repository, and one without a commit", async () => {
    const plain = tempDir();
    write(plain, { "a.txt": "1" });
    const { dir: unborn } = repository();
    write(unborn, { "a.txt": "1" });
    for (const cwd of [plain, unborn]) {
      const target = path.join(tempDir(), "there");
      const packed = (await pack(cwd))!;
      expect(packed.hasHistory).toBe(false);
      await unpack(packed, target);
      expect(listed(target)).toEqual(["a.txt: 1"]);
    }
  });
});

describe("unpackWorkspace()", () => {
  test("refuses a file that is no bundle, and one that ends elsewhere than it says", async () => {
    const { dir } = repository();
    write(dir, { "a.txt": "1" });
    const packed = (await pack(dir))!;
    const there = path.join(tempDir(), "there");
    await expect(unpack({ ...packed, work: "0".repeat(40) }, there)).rejects.toMatchObject({
      code: "bundle_refused",
    });
    fs.writeFileSync(packed.file, "garbage");
    await expect(unpack(packed, path.join(tempDir(), "other"))).rejects.toMatchObject({
      code: "bundle_refused",
    });
  });
});
