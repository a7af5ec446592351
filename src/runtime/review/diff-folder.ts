import fs from "node:fs";
import path from "node:path";
import { carefulGit, type Git } from "../../fleet/workspace/git.ts";
import type { FileDiff } from "../../store/companions/diff-files.ts";
import type { Variables } from "../places.ts";
import { reviewedFilesMax, untrackedBytesMax } from "./limits.ts";

export interface FolderDiffOptions {
  cwd: string;
  /** When the task began: what was checked out then is where the difference begins. */
  since: string;
  /** Only this file, as the difference names it. */
  path?: string | undefined;
  env: Variables;
  signal?: AbortSignal | undefined;
}

export interface FolderDiff {
  /** The commit; null where there is no repository. */
  from: string | null;
  files: FileDiff[];
  /** There were more files than are compared. */
  isCut: boolean;
}

/**
 * What changed in the repository of a folder since a moment, committed or not, with files that are new. Runs none of
 * the drivers and hooks that the repository names.
 */
export async function diffFolder({
  cwd,
  since,
  path: only,
  env,
  signal,
}: FolderDiffOptions): Promise<FolderDiff> {
  const git = carefulGit(env);
  const top = await topOf(git, cwd);
  if (top === undefined) return { from: null, files: [], isCut: false };
  const run: Git = (args, options) => git(args, { ...options, cwd: top, signal });
  const from = await commitAt(run, top, since);
  const changed = await namesOf(run, ["diff", "--name-only", "--no-renames", "-z", from, "--"], top);
  const added = await namesOf(run, ["ls-files", "--others", "--exclude-standard", "-z"], top);
  const isNew = new Set(added);
  const names = [...new Set([...changed, ...added])]
    .sort()
    .filter((name) => only === undefined || name === only);
  const files: FileDiff[] = [];
  for (const name of names.slice(0, reviewedFilesMax))
    files.push(isNew.has(name) ? newFile(top, name) : await changedFile(run, { top, name, from }));
  return { from, files, isCut: names.length > reviewedFilesMax };
}

async function topOf(git: Git, cwd: string): Promise<string | undefined> {
  try {
    return (await git(["rev-parse", "--show-toplevel"], { cwd })).trim();
  } catch {
    // No repository, no git, or no such folder any more: then there is nothing to compare with.
    return undefined;
  }
}

// What was checked out at that moment, as this worktree's own log knows; else what is checked out now.
async function commitAt(git: Git, cwd: string, since: string): Promise<string> {
  const at = `HEAD@{${since}}`;
  for (const name of [at, "HEAD"]) {
    try {
      return (await git(["rev-parse", "--verify", "--quiet", `${name}^{commit}`], { cwd })).trim();
    } catch {
      // The log does not reach so far, or there is no commit yet.
    }
  }
  // The tree without files, which every repository has.
  return "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
}

async function namesOf(git: Git, args: readonly string[], cwd: string): Promise<string[]> {
  return (await git(args, { cwd })).split("\0").filter((name) => name !== "");
}

const plainDiff = ["--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--unified=3"];

async function changedFile(
  git: Git,
  { top, name, from }: { top: string; name: string; from: string },
): Promise<FileDiff> {
  const text = await git(["diff", ...plainDiff, from, "--", `:(literal,top)${name}`], { cwd: top });
  if (text === "") return { path: name, kind: "same" };
  const hunks = text.search(/^@@ /m);
  // What has no hunks is binary, or another mode.
  if (hunks < 0) return { path: name, kind: /^Binary files /m.test(text) ? "binary" : "same" };
  const old = /^new file mode/m.test(text.slice(0, hunks)) ? "/dev/null" : name;
  const now = /^deleted file mode/m.test(text.slice(0, hunks)) ? "/dev/null" : name;
  return { path: name, kind: "changed", patch: patchOf(old, now, text.slice(hunks)) };
}

function patchOf(old: string, now: string, hunks: string): string {
  return `--- ${old}\n+++ ${now}\n${hunks}`;
}

function newFile(top: string, name: string): FileDiff {
  const file = path.join(top, name);
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  // A link says where it leads, and is not followed.
  if (!stat?.isFile()) return { path: name, kind: "binary" };
  if (stat.size > untrackedBytesMax) return { path: name, kind: "too-different" };
  const bytes = fs.readFileSync(file);
  if (bytes.includes(0)) return { path: name, kind: "binary" };
  const text = bytes.toString("utf8");
  const lines = text.replace(/\n$/, "").split("\n");
  const end = text.endsWith("\n") ? "" : "\n\\ No newline at end of file";
  const added =
    text === "" ? "" : `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join("\n")}${end}\n`;
  return { path: name, kind: "changed", patch: patchOf("/dev/null", name, added) };
}
