import type { EndedState } from "../../../tasks/record/task-state.ts";
import { exitCodes } from "../exit-codes.ts";

/** The code that `wait` and `run --wait` pass on: the command's own, 124 if its time ran out, 1 if nobody knows. */
export function exitCodeOfEnding(state: EndedState): number {
  if (state.status === "lost") return exitCodes.failed;
  if (state.status === "failed" && state.reason === "timeout") return exitCodes.timeout;
  return state.exitCode;
}
