import { fleetError } from "../errors.ts";
import { isGitFolder } from "./git-folder.ts";
import type { Git, GitOptions } from "./git.ts";
import { findRefusedLinks } from "./refused-links.ts";
import { findRefusedSubmodules } from "./refused-submodules.ts";
import { folded, listTree, type RefusedName, type TreeEntry } from "./tree-entries.ts";

export interface TreeCheck extends GitOptions {
  /** A commit or a tree. */
  tree: string;
  /** Links that stay inside are taken; without this, none are. */
  links: boolean;
}

/**
 * Looks at everything in a tree before anything of it is written. Throws `bundle_refused` for the first that may not be:
 * `..`, links, hooks and anything else of a `.git`, repositories in disguise, submodules that would run something.
 */
export async function checkTree(git: Git, check: TreeCheck): Promise<void> {
  const refused = await findRefused(git, check);
  if (refused.length > 0)
    throw fleetError("bundle_refused", `Cannot unpack the workspace: ${refusedText(refused)}`);
}

/** Everything in a tree that may not be written. */
export async function findRefused(git: Git, { tree, links, ...options }: TreeCheck): Promise<RefusedName[]> {
  const entries = await listTree(git, tree, options);
  return [
    ...entries.flatMap(({ name }) => refusedName(name)),
    ...findTwice(entries),
    ...findRepositories(entries),
    ...(await findRefusedLinks(git, entries, { ...options, links })),
    ...(await findRefusedSubmodules(git, entries, options)),
  ];
}

/** The first, and how many more: one sentence is read, a list is not. */
export function refusedText([first, ...more]: readonly RefusedName[]): string {
  return `${first!.why}${more.length === 0 ? "" : ` (and ${more.length} more)`}`;
}

function refusedName(name: string): RefusedName[] {
  const parts = name.split("/");
  if (name.startsWith("/") || name.includes("\\"))
    return [{ name, why: `"${name}" is no name inside of the folder` }];
  if (parts.some((part) => part === ".." || part === "." || part === ""))
    return [{ name, why: `"${name}" leads out of the folder` }];
  if (!parts.some(isGitFolder)) return [];
  const what = /hooks/i.test(name) ? "a hook, which would run" : "a part of a repository's own folder";
  return [{ name, why: `"${name}" is ${what}` }];
}

// git makes no such tree. What is a file, or a link, in one place and a folder in another is written through itself.
function findTwice(entries: readonly TreeEntry[]): RefusedName[] {
  const folders = foldersOf(entries);
  const seen = new Set<string>();
  return entries.flatMap(({ name }) => {
    const isTwice = seen.has(name) || folders.has(name);
    seen.add(name);
    return isTwice ? [{ name, why: `"${name}" is there twice` }] : [];
  });
}

// A folder with these three is a repository to git, also without a `.git`: it would obey its settings and run its hooks.
function findRepositories(entries: readonly TreeEntry[]): RefusedName[] {
  const names = new Set([...foldersOf(entries), ...entries.map(({ name }) => name)].map(folded));
  return entries.flatMap(({ name }) => {
    const [, folder = "", last] = /^(.*\/)?([^/]*)$/s.exec(folded(name))!;
    if (last !== "head") return [];
    const hasParts = names.has(`${folder}objects`) && names.has(`${folder}refs`);
    if (!hasParts && !names.has(`${folder}commondir`)) return [];
    return [{ name, why: `"${name}" makes its folder a repository, whose hooks and settings git would use` }];
  });
}

function foldersOf(entries: readonly TreeEntry[]): Set<string> {
  const folders = new Set<string>();
  for (const { name } of entries)
    for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) {
      const folder = name.slice(0, at);
      // Its own folders were added with it.
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}
