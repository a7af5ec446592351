import fs from "node:fs";
import path from "node:path";
import { bundleBytesMax, bundleFilesMax } from "../../format/limits.ts";
import { fleetError } from "../errors.ts";
import type { Git } from "./git.ts";

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
}

export interface PackOptions {
  cwd: string;
  /** A folder for the bundle and what is needed to make it; the caller removes it. */
  tempDir: string;
  /** A commit that the other side has: only what came after it is packed. */
  since?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Packs a folder as one git bundle: its history, and a commit of its own for what is not committed, new files included,
 * ignored ones not. Nothing is written to the folder or its repository. Undefined when nothing came after `since`. Throws
 * `bundle_refused` when it is too large.
 */
export async function packWorkspace(git: Git, options: PackOptions): Promise<PackedWorkspace | undefined> {
  const { tempDir, since, signal } = options;
  const source = await findRepository(git, options);
  const { top } = source;
  const gitDir = path.join(tempDir, "pack.git");
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: top, GIT_INDEX_FILE: path.join(tempDir, "index") };
  const run: Run = async (...args) => (await git(args, { cwd: top, env, signal })).trim();
  await git(["init", "--quiet", "--bare", gitDir], { cwd: tempDir, signal });
  if (source.repository) borrow(source.repository, { gitDir, indexFile: env.GIT_INDEX_FILE });
  await refuseTooMuch(run, top);
  await run("add", "--all");
  const tree = await run("write-tree");
  const { base, hasHistory } = await baseOf(run, source.repository);
  const isClean = (await run("rev-parse", `${base}^{tree}`)) === tree;
  const work = isClean ? base : await commitTree(run, tree, base);
  if (work === since) return undefined;
  await run("update-ref", carriedRef, work);
  const file = path.join(tempDir, "workspace.bundle");
  const excluded = since !== undefined && (await hasCommit(run, since)) ? [`^${since}`] : [];
  await run("bundle", "create", "--quiet", file, carriedRef, ...excluded);
  const { size } = fs.statSync(file);
  if (size > bundleBytesMax)
    throw tooLarge(top, `its bundle has ${size} bytes, the limit is ${bundleBytesMax}`);
  return { file, bytes: size, work, base, hasHistory, subdir: source.subdir };
}

type Run = (...args: string[]) => Promise<string>;

interface Repository {
  objectsDir: string;
  indexFile: string;
  head: string | undefined;
  isShallow: boolean;
}

interface Source {
  top: string;
  subdir: string;
  repository?: Repository;
}

async function findRepository(git: Git, { cwd, signal }: PackOptions): Promise<Source> {
  const ask = async (...args: string[]): Promise<string | undefined> => {
    try {
      return (await git(args, { cwd, signal })).replace(/\n$/, "");
    } catch {
      signal?.throwIfAborted();
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
      head: await ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
      isShallow: (await ask("rev-parse", "--is-shallow-repository")) === "true",
    },
  };
}

// Reads the repository's objects where they are, and knows from its index which files have not changed.
function borrow(
  { objectsDir, indexFile: ownIndex }: Repository,
  { gitDir, indexFile }: { gitDir: string; indexFile: string },
): void {
  fs.writeFileSync(path.join(gitDir, "objects/info/alternates"), `${objectsDir}\n`);
  if (fs.existsSync(ownIndex)) fs.copyFileSync(ownIndex, indexFile);
}

async function baseOf(
  run: Run,
  repository: Repository | undefined,
): Promise<{ base: string; hasHistory: boolean }> {
  const head = repository?.head;
  if (head !== undefined && !repository?.isShallow) return { base: head, hasHistory: true };
  // A history that is cut off cannot be bundled: what it ends with becomes its beginning.
  const tree =
    head === undefined ? await run("hash-object", "-w", "-t", "tree", "/dev/null") : `${head}^{tree}`;
  return { base: await commitTree(run, tree), hasHistory: false };
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

// Before anything is copied: somebody may stand in his home folder.
async function refuseTooMuch(run: Run, top: string): Promise<void> {
  const names = (await run("ls-files", "-z", "--others", "--modified", "--exclude-standard")).split("\0");
  if (names.length > bundleFilesMax)
    throw tooLarge(top, `${names.length} files are new, the limit is ${bundleFilesMax}`);
  let bytes = 0;
  for (const name of names) {
    bytes += fs.lstatSync(path.join(top, name), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > bundleBytesMax)
      throw tooLarge(top, `its new files have more than ${bundleBytesMax} bytes, "${name}" among them`);
  }
}

function tooLarge(top: string, why: string): Error {
  return fleetError(
    "bundle_refused",
    `Cannot send the folder "${top}": ${why}; ignore what is not needed, or have the worker clone it (--clone)`,
  );
}
