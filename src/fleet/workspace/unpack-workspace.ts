import fs from "node:fs";
import path from "node:path";
import { fleetError } from "../errors.ts";
import { checkTree } from "./check-tree.ts";
import type { Git } from "./git.ts";
import { carriedRef } from "./pack-workspace.ts";

export interface UnpackOptions {
  /** The bundle. */
  file: string;
  /** A folder that is empty or not there, or one in which an earlier bundle of the same workspace was unpacked. */
  dir: string;
  work: string;
  base: string;
  /** Links that stay inside of the folder are taken; without this, a bundle with any is refused. */
  links: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * Makes the folder what it was when it was packed: the newest commit checked out, what was not committed as uncommitted
 * changes. Everything is looked at before anything is written.
 */
export async function unpackWorkspace(
  git: Git,
  { file, dir, work, base, links, signal }: UnpackOptions,
): Promise<void> {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const run = (...args: string[]): Promise<string> => git(args, { cwd: dir, signal });
  if (!fs.existsSync(path.join(dir, ".git"))) await run("init", "--quiet", "--initial-branch=holdfast");
  await fetchBundle(git, { file, dir, work, signal });
  for (const tree of [base, work]) await checkTree(git, { cwd: dir, signal, tree, links });
  await run("reset", "--quiet", "--hard", work);
  // What an earlier state held and this one does not, ignored or not: its links were not looked at together with these.
  await run("clean", "--quiet", "-d", "-x", "--force", "--force");
  await run("reset", "--quiet", "--mixed", base);
}

/** Takes the commits out of a bundle into a repository, and nothing else. Throws unless they end in `work`. */
export async function fetchBundle(
  git: Git,
  { file, dir, work, signal }: Pick<UnpackOptions, "file" | "dir" | "work" | "signal">,
): Promise<void> {
  const place = { cwd: dir, signal };
  const arrived = "refs/holdfast/carried";
  await git(
    ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", file, `+${carriedRef}:${arrived}`],
    place,
  );
  const found = (await git(["rev-parse", arrived], place)).trim();
  if (found === work) return;
  throw fleetError(
    "bundle_refused",
    `Cannot unpack the workspace: it ends in commit ${found}, not in ${work}`,
  );
}
