import type { TaskRecord } from "../../../tasks/record/task-record.ts";
import type { EndedState, TaskState } from "../../../tasks/record/task-state.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { plural } from "../../../lib/quantities.ts";

/** A state in two or three words, for a table. */
export function statusText(state: TaskState): string {
  switch (state.status) {
    case "queued":
      return `queued #${state.place}`;
    case "running":
      if (state.needsInput) return "needs input";
      if (state.unseen) return "running (unseen)";
      return state.survivors ? `running (${plural(state.survivors.pids.length, "survivor")})` : "running";
    case "failed":
      return `failed (${state.reason === "exit" ? (state.signal ?? state.exitCode) : state.reason})`;
    default:
      return state.status;
  }
}

/** An ending with what is known of its cause, for a sentence. */
export function endingText(state: EndedState): string {
  switch (state.status) {
    case "failed":
      return state.reason === "exit" ? `failed (${exitText(state)})` : statusText(state);
    case "stopped":
      return terminalLine(
        `stopped by ${state.stoppedBy}${state.stopReason === undefined ? "" : `: ${state.stopReason}`}`,
      );
    case "lost":
      return terminalLine(`lost: ${state.cause}`);
    default:
      return state.status;
  }
}

/** A task as a sentence names it: its id, and its name if it has one. */
export function taskLabel({ id, name }: TaskRecord): string {
  return name === undefined ? id : `${id} (${terminalLine(name)})`;
}

// The two codes by which every shell says that the command itself could not be run.
const shellCodes: Readonly<Record<number, string>> = {
  126: "126: the command cannot be executed",
  127: "127: command not found",
};

function exitText({ exitCode, signal }: { exitCode: number; signal?: string }): string {
  return signal ?? shellCodes[exitCode] ?? `exit code ${exitCode}`;
}
