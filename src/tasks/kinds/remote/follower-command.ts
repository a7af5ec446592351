import { shellQuote } from "../../../lib/shell-quote.ts";
import type { Launch } from "../../launch-task.ts";
import { ownProgram } from "../../own-program.ts";
import type { TaskFiles } from "../../task-files.ts";

/**
 * What the supervisor runs for a remote agent: a process that follows its log. One that is killed is started again: the
 * run goes on elsewhere, and has an ending only when its log says so. Asked to end, it stays ended.
 */
export function followerCommand(
  files: TaskFiles,
  place: { home: string; configDir: string },
): Launch["supervised"] {
  const follow = ownProgram("fleet-follower", files, place).map(shellQuote).join(" ");
  return {
    shell: "/bin/sh",
    command: `trap 'exit 143' TERM; while :; do ${follow}; code=$?; [ $code -gt 128 ] && [ $code -ne 143 ] || exit $code; sleep 1; done`,
  };
}
