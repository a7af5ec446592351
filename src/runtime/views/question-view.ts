import type { QuestionLine } from "../../conversation/question-lines.ts";

/** A question of an agent that somebody has to answer: frozen by its `requestId`. */
export interface QuestionView {
  taskId: string;
  requestId: string;
  toolUseId: string;
  tool: string;
  title: string;
  since: string;
  /** Everything that the tool was given: its command, its difference, its arguments. Safe to show as it is. */
  lines: QuestionLine[];
  /** Some of it was too long for the question; the rest is in the transcript. */
  isCut: boolean;
  cwd: string;
  /** What the agent is called: its type, its description. */
  agentType: string | null;
  description: string;
  /** Where it runs: this machine, or a session on the fleet. */
  machine: string;
  /** What "always" would allow, literally, until this agent ends. Null when that cannot be said, so that it is not offered. */
  alwaysRule: string | null;
}

/** How a question was answered, and by whom. */
export interface AnsweredView {
  taskId: string;
  requestId: string;
  behavior: "allow" | "deny";
  isAlways: boolean;
  /** `cli:anna`, `dashboard:anna`, … */
  by: string;
  at: string;
  /** It was this request that answered; otherwise somebody was faster. */
  isYours: boolean;
}
