import type { SessionSummary } from "../../store/list/list-sessions.ts";

/** A session as it leaves the process; what it does not have is null. */
export interface SessionView {
  sessionId: string;
  project: string;
  cwd: string | null;
  path: string;
  title: string | null;
  tag: string | null;
  firstPrompt: string | null;
  messageCount: number | null;
  agents: number | null;
  gitBranch: string | null;
  startedAt: string | null;
  updatedAt: string;
  bytes: number;
  archived: boolean;
}

export function sessionView(summary: SessionSummary): SessionView {
  return {
    sessionId: summary.sessionId,
    project: summary.project,
    cwd: summary.cwd ?? null,
    path: summary.path,
    title: summary.title ?? null,
    tag: summary.tag ?? null,
    firstPrompt: summary.firstPrompt ?? null,
    messageCount: summary.messageCount ?? null,
    agents: summary.agents ?? null,
    gitBranch: summary.gitBranch ?? null,
    startedAt: summary.startedAt ?? null,
    updatedAt: summary.updatedAt,
    bytes: summary.bytes,
    archived: summary.archived === true,
  };
}
