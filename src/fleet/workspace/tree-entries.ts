import { bundleFilesMax } from "./limits.ts";
import { fleetError } from "../errors.ts";
import type { Git, GitOptions } from "./git.ts";

/** A file, link or submodule of a commit. */
export interface TreeEntry {
  kind: "file" | "link" | "submodule";
  object: string;
  /** From the top, with slashes; whatever somebody put there. */
  name: string;
}

/** Something in a tree that is not written, and the sentence that says why. */
export interface RefusedName {
  name: string;
  why: string;
}

/** As a file system would compare a name that does not tell capitals from others. */
export function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** Everything that a commit or tree would put into a folder. Throws `bundle_refused` for more than a checkout has. */
export async function listTree(git: Git, tree: string, options: GitOptions): Promise<TreeEntry[]> {
  const listed = await git(["ls-tree", "-r", "-z", "--full-tree", tree], options);
  const entries = listed
    .split("\0")
    .filter((entry) => entry !== "")
    .map(parseEntry);
  if (entries.length <= bundleFilesMax) return entries;
  throw fleetError(
    "bundle_refused",
    `Cannot use the workspace: it holds ${entries.length} files, the limit is ${bundleFilesMax}`,
  );
}

function parseEntry(entry: string): TreeEntry {
  const tab = entry.indexOf("\t");
  const [mode, , object] = entry.slice(0, tab).split(" ");
  const kind = mode === "120000" ? "link" : mode === "160000" ? "submodule" : "file";
  return { kind, object: object!, name: entry.slice(tab + 1) };
}
