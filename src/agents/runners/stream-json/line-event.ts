import type { RunnerEnd, RunnerEvent } from "../../../tasks/ports.ts";

/** What one line of an agent means: events, or that the agent is done with its turn, well or not. */
export type LineEvent =
  | RunnerEvent
  | { kind: "end"; end: RunnerEnd }
  /** The agent says that it could not do it. */
  | { kind: "failure"; message: string };

/** Understands the lines of one process, in their order. Never throws: a line that says nothing gives no event. */
export interface LineReader {
  read(line: Record<string, unknown>): LineEvent[];
  /** The process has ended; what it left open is closed. */
  finish(): RunnerEvent[];
}
