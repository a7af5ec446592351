import { fileURLToPath } from "node:url";
import { shellQuote } from "../../../lib/shell-quote.ts";
import type { Launch } from "../../launch-task.ts";
import type { TaskFiles } from "../../task-files.ts";

/**
 * What the supervisor runs for a remote agent: a process that follows its log. One that is killed is started again: the
 * run goes on elsewhere, and has an ending only when its log says so. Asked to end, it stays ended.
 */
export function followerCommand(
  files: TaskFiles,
  place: { home: string; configDir: string },
): Launch["supervised"] {
  const follow = followerWords(files, place).map(shellQuote).join(" ");
  return {
    shell: "/bin/sh",
    command: `trap 'exit 143' TERM; while :; do ${follow}; code=$?; [ $code -gt 128 ] && [ $code -ne 143 ] || exit $code; sleep 1; done`,
  };
}

/** The program and its arguments. */
export function followerWords(
  files: TaskFiles,
  { home, configDir }: { home: string; configDir: string },
): [string, ...string[]] {
  // From source it is a program of the command line; in the package all programs are beside each other.
  const program = import.meta.url.endsWith(".ts") ? "../../../cli/fleet-follower.ts" : "./fleet-follower.js";
  return [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL(program, import.meta.url)),
    home,
    configDir,
    files.projectKey,
    files.id,
  ];
}
