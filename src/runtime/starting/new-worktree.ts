import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../lib/errors.ts";
import type { Variables } from "../places.ts";
import { taskError } from "../../tasks/errors.ts";
import { worktreeMsMax } from "../limits.ts";

const run = promisify(execFile);

export interface NewWorktree {
  /** The same folder, in the worktree. */
  cwd: string;
  branch: string;
}

/**
 * Makes a worktree beside the repository of a folder, on a branch of its own from the commit that is checked out there. What is
 * not committed stays behind. Throws `task_refused` where there is no repository.
 */
export async function newWorktree(cwd: string, env: Variables): Promise<NewWorktree> {
  const git = async (...args: string[]): Promise<string> => {
    try {
      const { stdout } = await run("git", args, {
        cwd,
        env: { ...env, GIT_TERMINAL_PROMPT: "0" },
        timeout: worktreeMsMax,
      });
      return stdout.trim();
    } catch (cause) {
      const why = /(?:fatal|error): (.*)/.exec(messageOf(cause))?.[1] ?? messageOf(cause);
      throw taskError("task_refused", `Cannot make a worktree of "${cwd}": ${why}`, { cause });
    }
  };
  const top = await git("rev-parse", "--show-toplevel");
  const prefix = await git("rev-parse", "--show-prefix");
  const name = randomBytes(4).toString("hex");
  const [dir, branch] = [`${top}-${name}`, `holdfast/${name}`];
  await git("worktree", "add", "--quiet", "-b", branch, dir, "HEAD");
  return { cwd: path.join(dir, prefix), branch };
}
