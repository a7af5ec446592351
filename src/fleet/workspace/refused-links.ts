import { bundleLinksMax } from "./limits.ts";
import { isGitFolder } from "./git-folder.ts";
import type { Git, GitOptions } from "./git.ts";
import { folded, type RefusedName, type TreeEntry } from "./tree-entries.ts";

/**
 * The links that are not taken: all of them unless `links`, and then those of which it is not certain that they stay
 * inside. One that is taken is relative, never climbs above the top on its way, and meets no other link on it, so the
 * file system goes exactly the way that was looked at here (docs/adr/0007).
 */
export async function findRefusedLinks(
  git: Git,
  entries: readonly TreeEntry[],
  { links, ...options }: GitOptions & { links: boolean },
): Promise<RefusedName[]> {
  const found = entries.filter(({ kind }) => kind === "link");
  if (!links)
    return found.map(({ name }) => ({
      name,
      why: `"${name}" is a link; --links takes along those that stay inside of the folder`,
    }));
  if (found.length > bundleLinksMax) {
    const why = `it holds ${found.length} links, the limit is ${bundleLinksMax}`;
    return found.map(({ name }) => ({ name, why }));
  }
  const names = new Set(found.map(({ name }) => folded(name)));
  const refused: RefusedName[] = findBelowLinks(entries, names);
  for (const { name, object } of found) {
    const why = whyRefused({ name, target: await git(["cat-file", "blob", object], options) }, names);
    if (why !== undefined) refused.push({ name, why: `the link "${name}" ${why}` });
  }
  return refused;
}

// What lies below a link would be written to where it leads.
function findBelowLinks(entries: readonly TreeEntry[], links: ReadonlySet<string>): RefusedName[] {
  return entries.flatMap(({ name }) => {
    const parts = folded(name).split("/");
    const isBelow = parts.some((_, at) => at > 0 && links.has(parts.slice(0, at).join("/")));
    return isBelow ? [{ name, why: `"${name}" lies below a link` }] : [];
  });
}

function whyRefused(
  { name, target }: { name: string; target: string },
  links: ReadonlySet<string>,
): string | undefined {
  const at = name.split("/").slice(0, -1);
  // git reads these itself.
  if (/^\.git/i.test(name.split("/").at(-1)!)) return "has a name that git reads";
  const leadsOut = `leads out of the folder, to "${target}"`;
  if (target.startsWith("/") || target.includes("\\") || target.includes("\0") || target === "")
    return leadsOut;
  for (const part of target.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") at.push(part);
    else if (at.pop() === undefined) return leadsOut;
    if (isGitFolder(part)) return "leads into a repository's own folder";
    if (links.has(folded(at.join("/")))) return `leads over another link, "${at.join("/")}"`;
  }
  return undefined;
}
