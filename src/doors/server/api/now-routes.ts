import type { WorkAsked } from "../../../runtime/starting/start-work.ts";
import type { StartChoicesView } from "../../../runtime/starting/start-choices.ts";
import type { NowView } from "../../../runtime/views/now-view.ts";
import type { AnsweredView, QuestionView } from "../../../runtime/views/question-view.ts";
import type { TaskRowView } from "../../../runtime/views/task-row-view.ts";

export interface NowRoutes {
  "GET /api/now": { answer: NowView };
  "GET /api/about": { answer: AboutView };
  "GET /api/questions": { answer: { questions: QuestionView[] } };
  /** The first answer counts. Whoever is later is told who was faster, and what was answered (`isYours` false, not an error). */
  "POST /api/tasks/{id}/answer": { body: AnswerBody; answer: AnsweredView };
  "POST /api/start": { body: WorkAsked; answer: { task: TaskRowView } };
  /** What a start box offers in a folder. */
  "GET /api/start": { query: { cwd?: string }; answer: StartChoicesView };
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
  plugin: "installed" | "absent" | "unknown";
  fleet: boolean;
}

export type AnswerBody =
  | { requestId: string; behavior: "allow"; always?: boolean }
  | { requestId: string; behavior: "deny"; message: string; interrupt?: boolean };
