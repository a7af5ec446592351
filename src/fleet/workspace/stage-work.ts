import fs from "node:fs";
import path from "node:path";
import { bundleBytesMax } from "../limits.ts";
import { bundleFilesMax } from "./limits.ts";
import { fleetError } from "../errors.ts";
import { findRefused, refusedText } from "./check-tree.ts";
import type { Git, GitOptions } from "./git.ts";
import type { RefusedName } from "./tree-entries.ts";

export interface StageOptions extends GitOptions {
  /** Links that stay inside of the folder are taken; without this, none are. */
  links: boolean;
  /** What becomes of something that the other side would refuse: a person is told, an agent's work goes without it. */
  onRefused: "throw" | "leave-out";
}

export interface StagedWork {
  /** The folder as it is, without what is ignored or left out. */
  tree: string;
  leftOut: RefusedName[];
}

/**
 * Puts the folder as it is, new files included, into an index and makes it a tree. Throws `bundle_refused` when it is too
 * much, or holds what would be refused and is not to be left out.
 */
export async function stageWork(git: Git, { links, onRefused, ...place }: StageOptions): Promise<StagedWork> {
  const run = async (...args: string[]): Promise<string> => (await git(args, place)).trim();
  const inner = innerRepositories(await listNew(run, place.cwd));
  if (onRefused === "throw" && inner.length > 0) throw notSent(place.cwd, inner);
  await run("add", "--all", "--", ".", ...inner.map(({ name }) => `:(exclude,literal)${name}`));
  const tree = await run("write-tree");
  const refused = await findRefused(git, { ...place, tree, links });
  if (refused.length === 0) return { tree, leftOut: inner };
  if (onRefused === "throw") throw notSent(place.cwd, refused);
  await unstage(run, refused);
  return { tree: await run("write-tree"), leftOut: [...inner, ...refused] };
}

type Run = (...args: string[]) => Promise<string>;

/** Says what of a folder cannot be sent. */
export function notSent(top: string, refused: readonly RefusedName[]): Error {
  return fleetError("bundle_refused", `Cannot send the folder "${top}": ${refusedText(refused)}`);
}

// Before anything is copied: somebody may stand in his home folder.
async function listNew(run: Run, top: string): Promise<string[]> {
  const names = (await run("ls-files", "-z", "--others", "--modified", "--exclude-standard")).split("\0");
  if (names.length > bundleFilesMax)
    throw tooLarge(top, `${names.length} files are new, the limit is ${bundleFilesMax}`);
  let bytes = 0;
  for (const name of names) {
    bytes += fs.lstatSync(path.join(top, name), { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > bundleBytesMax)
      throw tooLarge(top, `its new files have more than ${bundleBytesMax} bytes, "${name}" among them`);
  }
  return names;
}

// Of a repository that is no submodule git names the folder, and nothing in it.
function innerRepositories(names: readonly string[]): RefusedName[] {
  return names
    .filter((name) => name.endsWith("/"))
    .map((name) => name.slice(0, -1))
    .map((name) => ({
      name,
      why: `"${name}" is a repository of its own, whose files would not come along; ignore it, or send it by itself`,
    }));
}

async function unstage(run: Run, refused: readonly RefusedName[]): Promise<void> {
  const names = [...new Set(refused.map(({ name }) => name))];
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE)
    await run("update-index", "--force-remove", "--", ...names.slice(at, at + NAMES_AT_ONCE));
}

/** Arguments of one command; a name has at most 4 KB. */
const NAMES_AT_ONCE = 200;

/** Says what a person can do who sends a folder that is too large. */
export function tooLarge(top: string, why: string): Error {
  return fleetError(
    "bundle_refused",
    `Cannot send the folder "${top}": ${why}; ignore what is not needed, or have the worker clone it (--clone)`,
  );
}
