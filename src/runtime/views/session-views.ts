import type { FileDiff } from "../../store/companions/diff-files.ts";
import type { TodoItem } from "../../store/companions/todo-item.ts";
import type { TrashedSession } from "../../store/change/trash-session.ts";
import type { UndoChange } from "../../store/companions/undo-files.ts";
import type { SessionView } from "./session-view.ts";

/** A part of a list of sessions, the latest activity first. */
export interface SessionsView {
  sessions: SessionView[];
  from: number;
  /** Of all that pass the filter. */
  total: number;
}

export interface ProjectView {
  project: string;
  cwd: string | null;
  sessions: number;
  updatedAt: string;
}

export interface TodosView {
  source: "tasks" | "todos" | "transcript";
  agentId: string | null;
  items: TodoItem[];
}

export interface FilesView {
  cwd: string | null;
  /** One for each prompt that changed something, oldest first. */
  turns: {
    messageId: string;
    takenAt: string | null;
    files: { path: string; was: "present" | "absent" | "lost" }[];
  }[];
  problems: string[];
}

export interface ReviewView {
  /** Where the difference begins: a snapshot, a commit. */
  from: string | null;
  to: string | null;
  files: (FileDiff & { added: number; removed: number })[];
  /** The prompts at which one can begin or end, for a session with file history. */
  turns: { messageId: string; takenAt: string | null; prompt: string | null }[];
  isCut: boolean;
}

export type TrashedView = Pick<TrashedSession, "sessionId" | "project" | "trashedAt" | "bytes"> & {
  title: string | null;
};

export interface UndoView {
  messageId: string;
  changes: UndoChange[];
  /** Where the overwritten files are kept. */
  keptIn: string | null;
}
