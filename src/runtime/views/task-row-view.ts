import type { NoticeFate } from "../../tasks/inspect-task.ts";
import type { TaskKind } from "../../tasks/record/task-record.ts";
import type { TaskRow } from "../../tasks/live/task-row.ts";
import { isEnded } from "../../tasks/record/task-state.ts";
import { stateView, type StateView } from "./task-view.ts";

/** Why a task is above the others: somebody has to answer, nobody saw its ending, or it left none. */
export type Attention = "needs-you" | "unseen" | "lost";

/** A task as a list shows it, with what changes while it runs. */
export interface TaskRowView extends StateView {
  id: string;
  kind: TaskKind;
  name: string | null;
  description: string;
  /** The command line, or the beginning of the prompt. */
  command: string;
  cwd: string;
  sessionId: string | null;
  startedAt: string;
  /** When the command began: of one that waited for others, later than its launch. */
  beganAt: string;
  /** The last line of a command, or the last activity of an agent. Bounded; may hold anything. */
  lastLine: string;
  /** Null when nothing of it needs anybody. */
  attention: Attention | null;
  notice: NoticeFate["status"] | null;
  isRetained: boolean;
  /** Bytes of all its streams. */
  outputBytes: number;
  /** Of agents, from here on. */
  agentType?: string;
  model?: string | null;
  tokens?: number;
  toolUses?: number;
  /** Null when it is not known. */
  costUsd?: number | null;
}

export function taskRowView(row: TaskRow): TaskRowView {
  const { agent } = row;
  return {
    ...stateView(row.state),
    id: row.id,
    kind: row.kind,
    name: row.name ?? null,
    description: row.description,
    command: row.command,
    cwd: row.cwd,
    sessionId: row.sessionId ?? null,
    startedAt: new Date(row.startedAtMs).toISOString(),
    beganAt: new Date(row.beganAtMs).toISOString(),
    lastLine: row.lastLine,
    attention: attentionOf(row),
    notice: row.notice ?? null,
    isRetained: row.isRetained,
    outputBytes: row.outputBytes,
    ...(agent && {
      agentType: agent.type,
      model: agent.model ?? null,
      tokens: agent.tokens,
      toolUses: agent.toolUses,
      costUsd: agent.costUsd ?? null,
    }),
  };
}

/** The one rule of what needs a person: a question, or an ending that nobody was told of. */
export function attentionOf({ state, notice }: Pick<TaskRow, "state" | "notice">): Attention | null {
  if (!isEnded(state)) return state.status === "running" && state.needsInput ? "needs-you" : null;
  if (notice !== "queued") return null;
  return state.status === "lost" ? "lost" : "unseen";
}
