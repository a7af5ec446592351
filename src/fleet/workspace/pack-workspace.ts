import fs from "node:fs";
import path from "node:path";
import { bundleBytesMax } from "../limits.ts";
import { findRefused } from "./check-tree.ts";
import type { Git } from "./git.ts";
import { notSent, stageWork, tooLarge, type StageOptions } from "./stage-work.ts";
import type { RefusedName } from "./tree-entries.ts";

/** The one reference that a bundle carries. */
export const carriedRef = "refs/heads/carried";

export interface PackedWorkspace {
  file: string;
  bytes: number;
  /** The folder as it is: a commit whose parent is `base`, or `base` itself when nothing was uncommitted. */
  work: string;
  /** What the folder was based on: its newest commit, or one that was made for the journey. */
  base: string;
  /** Whether `base` is a commit of the user's own, which the repository at home has, too. */
  hasHistory: boolean;
  /** Where in the repository the folder is; empty at its top. */
  subdir: string;
  /** What stays behind, because the other side would refuse it. */
  leftOut: RefusedName[];
}

export interface PackOptions extends Pick<StageOptions, "links" | "onRefused"> {
  cwd: string;
  /** A folder for the bundle and what is needed to make it; the caller removes it. */
  tempDir: string;
  /** A commit that the other side has: only what came after it is packed. */
  since?: string | undefined;
}

/**
 * Packs a folder as one git bundle: its history, and a commit of its own for what is not committed, new files included,
 * ignored ones not. Nothing is written to the folder or its repository. Undefined when nothing came after `since`. Throws
 * `bundle_refused` when it is too large, or holds what would be refused.
 */
export async function packWorkspace(git: Git, options: PackOptions): Promise<PackedWorkspace | undefined> {
  const { cwd, tempDir, since, links, onRefused } = options;
  const source = await findRepository(git, cwd);
  const { top } = source;
  const gitDir = path.join(tempDir, "pack.git");
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: top, GIT_INDEX_FILE: path.join(tempDir, "index") };
  const place = { cwd: top, env };
  const run: Run = async (...args) => (await git(args, place)).trim();
  await git(["init", "--quiet", "--bare", gitDir], { cwd: tempDir });
  if (source.repository) borrow(source.repository, { gitDir, indexFile: env.GIT_INDEX_FILE });
  const { tree, leftOut } = await stageWork(git, { ...place, links, onRefused });
  const { base, hasHistory } = await sendableBase(await baseOf(run, source.repository));
  const work = (await treeOf(base)) === tree ? base : await commitTree(run, tree, base);
  if (work === since) return undefined;
  await run("update-ref", carriedRef, work);
  const file = path.join(tempDir, "workspace.bundle");
  const excluded = since !== undefined && (await hasCommit(run, since)) ? [`^${since}`] : [];
  await run("bundle", "create", "--quiet", file, carriedRef, ...excluded);
  const { size } = fs.statSync(file);
  if (size > bundleBytesMax)
    throw tooLarge(top, `its bundle has ${size} bytes, the limit is ${bundleBytesMax}`);
  return { file, bytes: size, work, base, hasHistory, subdir: source.subdir, leftOut };

  // An agent may have committed what the other side refuses: then its work is carried as if it were not committed.
  async function sendableBase(own: Base): Promise<Base> {
    // What was staged has been looked at.
    if ((await treeOf(own.base)) === tree) return own;
    const refused = await findRefused(git, { ...place, tree: own.base, links });
    if (refused.length === 0) return own;
    if (onRefused === "throw") throw notSent(top, refused);
    if (since !== undefined) return { base: since, hasHistory: true };
    return { base: await commitTree(run, await emptyTree(run)), hasHistory: false };
  }

  function treeOf(commit: string): Promise<string> {
    return run("rev-parse", `${commit}^{tree}`);
  }
}

type Run = (...args: string[]) => Promise<string>;

interface Repository {
  objectsDir: string;
  indexFile: string;
  /** What this clone alone ignores. */
  excludeFile: string;
  head: string | undefined;
  isShallow: boolean;
}

interface Source {
  top: string;
  subdir: string;
  repository?: Repository;
}

async function findRepository(git: Git, cwd: string): Promise<Source> {
  const ask = async (...args: string[]): Promise<string | undefined> => {
    try {
      return (await git(args, { cwd })).replace(/\n$/, "");
    } catch {
      return undefined;
    }
  };
  const top = await ask("rev-parse", "--show-toplevel");
  // No repository, or inside of its own folder.
  if (!top) return { top: cwd, subdir: "" };
  const inGit = async (name: string): Promise<string> =>
    path.resolve(cwd, (await ask("rev-parse", "--git-path", name)) ?? "");
  return {
    top,
    subdir: path.relative(top, cwd),
    repository: {
      objectsDir: await inGit("objects"),
      indexFile: await inGit("index"),
      excludeFile: await inGit("info/exclude"),
      head: await ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
      isShallow: (await ask("rev-parse", "--is-shallow-repository")) === "true",
    },
  };
}

// Reads the repository's objects where they are, knows from its index which files have not changed, and ignores the same.
function borrow(
  { objectsDir, indexFile: ownIndex, excludeFile }: Repository,
  { gitDir, indexFile }: { gitDir: string; indexFile: string },
): void {
  fs.writeFileSync(path.join(gitDir, "objects/info/alternates"), `${objectsDir}\n`);
  if (fs.existsSync(ownIndex)) fs.copyFileSync(ownIndex, indexFile);
  if (!fs.existsSync(excludeFile)) return;
  fs.mkdirSync(path.join(gitDir, "info"), { recursive: true });
  fs.copyFileSync(excludeFile, path.join(gitDir, "info/exclude"));
}

type Base = Pick<PackedWorkspace, "base" | "hasHistory">;

async function baseOf(run: Run, repository: Repository | undefined): Promise<Base> {
  const head = repository?.head;
  if (head !== undefined && !repository?.isShallow) return { base: head, hasHistory: true };
  // A history that is cut off cannot be bundled: what it ends with becomes its beginning.
  const tree = head === undefined ? await emptyTree(run) : `${head}^{tree}`;
  return { base: await commitTree(run, tree), hasHistory: false };
}

function emptyTree(run: Run): Promise<string> {
  return run("hash-object", "-w", "-t", "tree", "/dev/null");
}

async function commitTree(run: Run, tree: string, parent?: string): Promise<string> {
  const parents = parent === undefined ? [] : ["-p", parent];
  return run("commit-tree", tree, ...parents, "-m", "Uncommitted work, carried by Holdfast");
}

async function hasCommit(run: Run, commit: string): Promise<boolean> {
  return run("cat-file", "-e", `${commit}^{commit}`).then(
    () => true,
    () => false,
  );
}
