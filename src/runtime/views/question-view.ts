import os from "node:os";
import { questionLines, type QuestionLine } from "../../conversation/question-lines.ts";
import { spelledLine } from "../../lib/terminal-text.ts";
import type { TaskRow } from "../../tasks/live/task-row.ts";

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

/** The question of a task that asks; undefined for one that does not. */
export async function questionView(row: TaskRow): Promise<QuestionView | undefined> {
  const asked = row.state.status === "running" ? row.state.needsInput : undefined;
  if (!asked) return undefined;
  const { requestId, toolUseId, tool, title, since, input, isInputCut = false } = asked;
  const { approvalOf } = await import("../../agents/rules/judge-request.ts");
  return {
    taskId: row.id,
    requestId,
    toolUseId,
    tool,
    title: spelledLine(title),
    since,
    lines: questionLines(asked),
    isCut: isInputCut,
    cwd: row.cwd,
    agentType: row.agent?.type ?? null,
    description: row.description,
    machine: row.kind === "remote_agent" ? "fleet" : os.hostname(),
    // Of an input that was cut, or is not shown whole, nobody can say what would be allowed.
    alwaysRule: (input && !isInputCut && approvalOf({ tool, input })) || null,
  };
}
