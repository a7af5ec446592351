import fs from "node:fs";
import { checkRemote } from "../transport/run-request.ts";
import { checkTree } from "./check-tree.ts";
import type { Git } from "./git.ts";

/** Clones a remote that the worker can reach into a new folder; its names are looked at before anything is written. */
export async function cloneWorkspace(
  git: Git,
  {
    remote,
    commit,
    dir,
    links,
    signal,
  }: { remote: string; commit?: string | undefined; dir: string; links: boolean; signal: AbortSignal },
): Promise<void> {
  checkRemote(remote);
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  await git(["clone", "--quiet", "--no-checkout", "--", remote, dir], { cwd: dir, signal });
  await checkTree(git, { cwd: dir, signal, tree: commit ?? "HEAD", links });
  await git(["checkout", "--quiet", ...(commit === undefined ? [] : [commit])], { cwd: dir, signal });
}
