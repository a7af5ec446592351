import path from "node:path";
import { bundleFilesMax } from "../../format/limits.ts";
import { fleetError } from "../errors.ts";
import type { Git } from "./git.ts";

/**
 * Looks at every name of a commit before anything of it is written. Throws `bundle_refused` for what leads out of the
 * folder (`..`, absolute names, links), for hooks and anything else in a `.git`, and for more files than a checkout has.
 */
export async function checkTree(git: Git, { cwd, commit }: { cwd: string; commit: string }): Promise<void> {
  const listed = await git(["ls-tree", "-r", "-z", "--full-tree", commit], { cwd });
  const entries = listed.split("\0").filter((entry) => entry !== "");
  if (entries.length > bundleFilesMax)
    throw refused(`it holds ${entries.length} files, the limit is ${bundleFilesMax}`);
  for (const entry of entries) {
    const tab = entry.indexOf("\t");
    const [mode, , object] = entry.slice(0, tab).split(" ");
    const name = entry.slice(tab + 1);
    checkName(name);
    if (mode === LINK) checkLink(name, await git(["cat-file", "blob", object!], { cwd }));
  }
}

const LINK = "120000";

function checkName(name: string): void {
  if (name.startsWith("/") || name.includes("\\")) throw refused(`"${name}" is no name inside of the folder`);
  for (const part of name.split("/")) {
    if (part === ".." || part === "." || part === "") throw refused(`"${name}" leads out of the folder`);
    if (isGitFolder(part)) {
      const what = /hooks/i.test(name) ? "a hook, which would run" : "a part of a repository's own folder";
      throw refused(`"${name}" is ${what}`);
    }
  }
}

// Also as other file systems would read it: in capitals, with a short name, with dots and spaces behind, with characters
// that are not seen.
function isGitFolder(part: string): boolean {
  const seen = part
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return seen === ".git" || /^git~\d+$/.test(seen);
}

function checkLink(name: string, target: string): void {
  const end = path.posix.normalize(path.posix.join(path.posix.dirname(name), target));
  const leadsOut = path.posix.isAbsolute(target) || end === ".." || end.startsWith("../");
  if (leadsOut) throw refused(`the link "${name}" leads out of the folder, to "${target}"`);
  if (end.split("/").some(isGitFolder))
    throw refused(`the link "${name}" leads into a repository's own folder`);
}

function refused(why: string): Error {
  return fleetError("bundle_refused", `Cannot unpack the workspace: ${why}`);
}
