import { execFile } from "node:child_process";
import { gitTimeoutMs } from "./limits.ts";
import { fleetError } from "../errors.ts";

/** Runs git and gives what it printed; throws `bundle_refused` with git's own words. */
export type Git = (args: readonly string[], options: GitOptions) => Promise<string>;

export interface GitOptions {
  cwd: string;
  env?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/**
 * A git that runs nothing but itself: no hooks, no prompts, no templates, and of the caller's environment only what it
 * needs to find programs and keys. What came over the wire is handled by this one alone.
 */
export function carefulGit(environment: Readonly<Record<string, string | undefined>>): Git {
  const kept = ["PATH", "HOME", "SSH_AUTH_SOCK", "TMPDIR"].flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  const plain = {
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...author,
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    LC_ALL: "C",
  };
  return (args, { cwd, env = {}, signal }) =>
    new Promise((resolve, reject) => {
      const options = {
        cwd,
        env: { ...plain, ...env },
        timeout: gitTimeoutMs,
        maxBuffer: OUTPUT_BYTES_MAX,
        ...(signal && { signal }),
      };
      execFile("git", [...settings, ...args], options, (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        if (signal?.aborted) return reject(signal.reason as Error);
        const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
        const lines = stderr.trim().split("\n");
        // The first error says why, the last line only that it failed.
        const told = lines.find((line) => line.startsWith("error: ")) ?? lines.at(-1);
        const why = isMissing
          ? "git is not installed, or the folder is not there"
          : (told || error.message).replace(/^(?:fatal|error): /, "");
        reject(fleetError("bundle_refused", `Cannot use git ${args[0]}: ${why}`, { cause: error }));
      });
    });
}

/**
 * The same without the settings of this machine and its user, which may name filters that run: what was sent over the wire
 * is unpacked as it was packed. Not for a clone, whose credentials they hold.
 */
export function withoutUserSettings(git: Git): Git {
  const none = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", GIT_ATTR_NOSYSTEM: "1" };
  return (args, options) => git(args, { ...options, env: { ...none, ...options.env } });
}

const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

const settings = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "commit.gpgSign=false",
  "init.templateDir=",
  "advice.detachedHead=false",
].flatMap((setting) => ["-c", setting]);

/** Who writes the commits that carry uncommitted work, and when: the same work is always the same commit. */
const author = {
  GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
  GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
  GIT_AUTHOR_NAME: "holdfast",
  GIT_AUTHOR_EMAIL: "holdfast@localhost",
  GIT_COMMITTER_NAME: "holdfast",
  GIT_COMMITTER_EMAIL: "holdfast@localhost",
};
