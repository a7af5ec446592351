import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { diffFolder } from "./diff-folder.ts";
import { reviewMessage } from "./review-message.ts";

const env = { PATH: process.env["PATH"], HOME: "/nonexistent" };

function repository(): { cwd: string; git: (...args: string[]) => string } {
  const cwd = tempDir();
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd }).toString();
  git("init", "--quiet");
  fs.writeFileSync(path.join(cwd, "a.txt"), "one\ntwo\nthree\n");
  fs.writeFileSync(path.join(cwd, "gone.txt"), "gone\n");
  fs.writeFileSync(path.join(cwd, "image.bin"), Buffer.from([0, 1, 2]));
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  return { cwd, git };
}

const later = (): string => new Date(Date.now() + 1000).toISOString();

test("diffFolder() shows what changed since a moment: edited, new, removed, binary", async () => {
  const { cwd, git } = repository();
  fs.writeFileSync(path.join(cwd, "a.txt"), "one\n2\nthree\n");
  fs.rmSync(path.join(cwd, "gone.txt"));
  fs.writeFileSync(path.join(cwd, "image.bin"), Buffer.from([0, 1, 3]));
  fs.writeFileSync(path.join(cwd, "ü new.txt"), "new");
  fs.symlinkSync("/etc/passwd", path.join(cwd, "link"));
  const { from, files, isCut } = await diffFolder({ cwd, since: later(), env });
  expect(from).toBe(git("rev-parse", "HEAD").trim());
  expect(isCut).toBe(false);
  expect(files).toEqual([
    {
      path: "a.txt",
      kind: "changed",
      patch: "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
    },
    { path: "gone.txt", kind: "changed", patch: "--- gone.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n" },
    { path: "image.bin", kind: "binary" },
    { path: "link", kind: "binary" },
    {
      path: "ü new.txt",
      kind: "changed",
      patch: "--- /dev/null\n+++ ü new.txt\n@@ -0,0 +1,1 @@\n+new\n\\ No newline at end of file\n",
    },
  ]);
  const one = await diffFolder({ cwd: cwd, since: later(), path: "a.txt", env });
  expect(one.files.map((file) => file.path)).toEqual(["a.txt"]);
});

test("diffFolder() begins at what was checked out then, so that what was committed since is in it", async () => {
  const { cwd, git } = repository();
  const before = git("rev-parse", "HEAD").trim();
  // Git's log knows whole seconds.
  const since = later();
  git("branch", "side");
  const env2 = { ...process.env, GIT_COMMITTER_DATE: new Date(Date.now() + 60_000).toISOString() };
  fs.writeFileSync(path.join(cwd, "a.txt"), "changed\n");
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qam", "second"], {
    cwd,
    env: env2,
  });
  const { from, files } = await diffFolder({ cwd, since, env });
  expect(from).toBe(before);
  expect(files).toMatchObject([{ path: "a.txt", kind: "changed" }]);
});

test("diffFolder() runs nothing that a repository names", async () => {
  const { cwd, git } = repository();
  const mark = path.join(tempDir(), "ran");
  fs.writeFileSync(path.join(cwd, ".gitattributes"), "*.txt diff=evil\n");
  git("config", "diff.evil.command", `touch ${mark}; true`);
  git("config", "diff.evil.textconv", `touch ${mark}; cat`);
  git("config", "diff.external", `touch ${mark}; true`);
  git("config", "core.fsmonitor", `touch ${mark}; true`);
  fs.writeFileSync(path.join(cwd, "a.txt"), "changed\n");
  const { files } = await diffFolder({ cwd, since: later(), env });
  expect(files.map((file) => file.path)).toContain("a.txt");
  expect(fs.existsSync(mark)).toBe(false);
});

test("diffFolder() has nothing to compare where there is no repository, or no folder any more", async () => {
  const none = { from: null, files: [], isCut: false };
  expect(await diffFolder({ cwd: tempDir(), since: later(), env })).toEqual(none);
  expect(await diffFolder({ cwd: "/nonexistent", since: later(), env })).toEqual(none);
});

test("reviewMessage() puts comments of a file together, in the order of its lines", () => {
  const text = reviewMessage(
    [
      { path: "b.ts", text: "Why?" },
      { path: "a.ts", line: 9, text: "later" },
      { path: "a.ts", line: 2, side: "old", quote: "let x;\nlet y;", text: "Keep this." },
    ],
    "Mostly fine.",
  );
  expect(text).toBe(
    "Review of your changes:\n\nMostly fine.\n\n## b.ts\n\nWhy?\n\n## a.ts\n\n" +
      "Line 2 (before the change):\n> let x;\n> let y;\nKeep this.\n\nLine 9:\nlater",
  );
});
