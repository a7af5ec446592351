import type { NowView } from "../../../runtime/views/now-view.ts";
import type { AnsweredView, QuestionView } from "../../../runtime/views/question-view.ts";
import type { TaskRowView } from "../../../runtime/views/task-row-view.ts";

export interface NowRoutes {
  "GET /api/now": { answer: NowView };
  "GET /api/about": { answer: AboutView };
  "GET /api/questions": { answer: { questions: QuestionView[] } };
  /** The first answer counts. Whoever is later is told who was faster, and what was answered (`isYours` false, not an error). */
  "POST /api/tasks/{id}/answer": { body: AnswerBody; answer: AnsweredView };
  "POST /api/start": { body: StartBody; answer: { task: TaskRowView } };
  /** What a start box offers in a folder. */
  "GET /api/start": { query: { cwd?: string }; answer: StartChoices };
  /** Starts the demo's tasks, for a page that has nothing to show. */
  "POST /api/demo": { body: Record<string, never>; answer: { tasks: TaskRowView[] } };
}

export interface AboutView {
  version: string;
  /** Of this server's life: another one means that it was started anew. */
  instance: string;
  home: string;
  configDir: string;
  host: string;
  platform: string;
  userName: string;
  /** The folder in which it was started. */
  cwd: string;
  plugin: "installed" | "partly" | "absent" | "unknown";
  fleet: boolean;
}

export type AnswerBody =
  | { requestId: string; behavior: "allow"; always?: boolean }
  | { requestId: string; behavior: "deny"; message: string; interrupt?: boolean };

export type StartBody =
  | {
      kind: "command";
      command: string;
      cwd: string;
      name?: string;
      description?: string;
      /** In a new git worktree of the folder. */
      worktree?: boolean;
      timeoutMs?: number;
      tty?: boolean;
      stdin?: boolean;
      queue?: boolean;
    }
  | {
      kind: "agent";
      prompt: string;
      cwd: string;
      /** Without one as `settings` say. */
      agent?: string;
      model?: string;
      type?: string;
      permission?: "allow" | "deny" | "ask" | "rules";
      limits?: { maxTurns?: number; maxTokens?: number; maxCostUsd?: number };
      name?: string;
      where?: "here" | "worktree" | "fleet";
      /** Only workers with this label, on the fleet. */
      label?: string;
      /** Goes on from where this session is: prompt and answer become part of it. */
      from?: string;
      queue?: boolean;
    };

export interface StartChoices {
  cwd: string;
  agents: { name: string; isFound: boolean; isDefault: boolean }[];
  types: { name: string; description: string }[];
  permission: string;
  model: string | null;
  isGit: boolean;
  fleet: boolean;
  /** Folders in which something was started lately, newest first. */
  folders: string[];
}
