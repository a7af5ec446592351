import type { Notice } from "../../tasks/notices/notices.ts";
import type { EndedState } from "../../tasks/record/task-state.ts";

/** The ending of a task, as it leaves the process. */
export interface NoticeView {
  taskId: string;
  status: EndedState["status"];
  summary: string;
  /** The `<task-notification>` for a conversation. */
  text: string;
  sessionId: string | null;
  cwd: string;
  endedAt: string;
}

export function noticeView({ taskId, sessionId, cwd, status, summary, text, endedAt }: Notice): NoticeView {
  return { taskId, status, summary, text, sessionId: sessionId ?? null, cwd, endedAt };
}
