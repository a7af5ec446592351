import type { RunnerEnd, RunnerEvent, RunnerRequest } from "../../../tasks/ports.ts";
import type { AgentProcess } from "../agent-process.ts";

/** What one line of an agent means: events, or that the agent is done with its turn, well or not. */
export type LineEvent =
  | RunnerEvent
  | { kind: "end"; end: RunnerEnd }
  /** The agent says that it could not do it. */
  | { kind: "failure"; message: string }
  /** It must not go on. */
  | { kind: "refused"; error: Error };

/** How one run of a program is talked to: what it is started with and told, and what its lines mean. */
export interface LineConversation {
  args: readonly string[];
  /** Tells it what to do. */
  begin(agent: AgentProcess): void;
  /** Understands a line, and answers one that asks. Never throws: a line that says nothing gives no event. */
  hear(line: Record<string, unknown>, agent: AgentProcess): LineEvent[];
  /** Asks it to stop what it does, where it can be asked; else, and when it does not, it is terminated. */
  interrupt?(agent: AgentProcess): void;
  /** The program has ended; closes what it left open. */
  finish(): RunnerEvent[];
}

/** Understands the lines of one process, in their order. */
export type LineReader = Pick<LineConversation, "hear" | "finish">;

/** Prepares the conversation for a request; may ask for permission first. */
export type ConversationStarter = (
  request: RunnerRequest,
  signal: AbortSignal,
) => LineConversation | Promise<LineConversation>;
