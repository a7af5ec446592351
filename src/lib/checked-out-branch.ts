import fs from "node:fs";
import path from "node:path";
import { readIfPlain } from "./read-if-plain.ts";

/**
 * The branch that is checked out in a folder, or in the nearest one above it that is of a repository; the commit where that is
 * detached. Undefined outside of repositories. Asks files, not git: a hook has a few milliseconds.
 */
export function checkedOutBranch(dir: string): string | undefined {
  for (let at = dir; ; at = path.dirname(at)) {
    const head = readText(path.join(at, ".git", "HEAD")) ?? headOfWorktree(at);
    if (head) return head.replace(/^ref: (refs\/heads\/)?/, "").trim();
    if (at === path.dirname(at)) return undefined;
  }
}

// A worktree and a submodule have a file in the place of the folder, which says where that is.
function headOfWorktree(dir: string): string | undefined {
  const [, gitDir] = /^gitdir: (.+)$/m.exec(readText(path.join(dir, ".git")) ?? "") ?? [];
  return gitDir === undefined ? undefined : readText(path.join(path.resolve(dir, gitDir), "HEAD"));
}

const BYTES_MAX = 4096;

// What stands there is somebody else's, of any size.
function readText(file: string): string | undefined {
  return readIfPlain(file, (fd) => {
    const bytes = Buffer.alloc(BYTES_MAX);
    return bytes.toString("utf8", 0, fs.readSync(fd, bytes));
  });
}
