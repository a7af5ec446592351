import type { DashboardWorld } from "./dashboard-world.ts";

/** Every page by a name, with what shows that it is complete. */
export function dashboardPages({ tasks, markdownSession, editedSession, longSession }: DashboardWorld): {
  name: string;
  path: string;
  shown: string;
}[] {
  return [
    { name: "now", path: "/", shown: ".question" },
    { name: "tasks", path: "/tasks", shown: "a.task-row" },
    { name: "task-running", path: `/tasks/${tasks.running}`, shown: ".output-line" },
    { name: "task-failed", path: `/tasks/${tasks.failed}`, shown: ".ending" },
    { name: "task-lost", path: `/tasks/${tasks.lost}`, shown: ".ending" },
    { name: "task-asking", path: `/tasks/${tasks.asking}`, shown: ".question" },
    { name: "task-answered", path: `/tasks/${tasks.answered}`, shown: ".answer" },
    { name: "task-record", path: `/tasks/${tasks.completed}/record`, shown: ".record-facts" },
    { name: "sessions", path: "/sessions", shown: "a.task-row" },
    { name: "session", path: `/sessions/${markdownSession}`, shown: ".answer" },
    { name: "session-long", path: `/sessions/${longSession}`, shown: ".answer" },
    { name: "session-changes", path: `/sessions/${editedSession}/files`, shown: ".diff-line" },
    { name: "search", path: "/search?q=cart", shown: ".hit" },
    { name: "usage", path: "/usage", shown: ".figures, .empty" },
    { name: "recover", path: "/recover", shown: ".recover-item" },
    { name: "fleet", path: "/fleet", shown: ".empty" },
    { name: "doctor", path: "/doctor", shown: ".check-row" },
    { name: "trash", path: "/trash", shown: ".empty" },
    { name: "settings", path: "/settings", shown: ".setting" },
  ];
}
