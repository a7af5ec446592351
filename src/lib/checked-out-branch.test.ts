import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/support/temp-dir.ts";
import { checkedOutBranch } from "./checked-out-branch.ts";

function git(dir: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"];
  return execFileSync("git", ["-C", dir, ...identity, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
}

test("checkedOutBranch() names the branch of a repository, a folder in it, a worktree, and a detached commit", () => {
  const dir = fs.realpathSync(tempDir());
  expect(checkedOutBranch(dir)).toBeUndefined();
  git(dir, "init", "--initial-branch=feature/one");
  const below = path.join(dir, "packages", "a");
  fs.mkdirSync(below, { recursive: true });
  expect([checkedOutBranch(dir), checkedOutBranch(below)]).toEqual(["feature/one", "feature/one"]);
  git(dir, "commit", "--allow-empty", "-m", "first");
  const tree = path.join(fs.realpathSync(tempDir()), "tree");
  git(dir, "worktree", "add", "-b", "two", tree);
  expect(checkedOutBranch(tree)).toBe("two");
  git(dir, "checkout", "--detach");
  expect(checkedOutBranch(dir)).toBe(git(dir, "rev-parse", "HEAD"));
});

test("checkedOutBranch() does not wait for what is no file", () => {
  const dir = tempDir();
  fs.mkdirSync(path.join(dir, ".git"));
  execFileSync("mkfifo", [path.join(dir, ".git", "HEAD")]);
  expect(checkedOutBranch(dir)).toBeUndefined();
});
