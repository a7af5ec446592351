import type { Answer } from "../api/route-shapes.ts";
import { Icon, type IconName } from "./icon.tsx";

type TaskRow = Answer<"GET /api/tasks">["tasks"][number];
export type ShownStatus = TaskRow["status"] | "needs-you";

const words: Record<ShownStatus, string> = {
  "needs-you": "needs you",
  queued: "queued",
  running: "running",
  completed: "completed",
  failed: "failed",
  stopped: "stopped",
  lost: "lost",
};

const icons: Record<Exclude<ShownStatus, "running">, IconName> = {
  "needs-you": "diamond",
  queued: "queued",
  completed: "check",
  failed: "cross",
  stopped: "stop",
  lost: "lost",
};

/** A running task that asks is not just running. */
export function statusOf({ status, needsInput }: Pick<TaskRow, "status" | "needsInput">): ShownStatus {
  return status === "running" && needsInput ? "needs-you" : status;
}

/** How a task stands: always a sign and a word; the word may be left to readers where the sign is enough. */
export function Status({ status, isSign = false }: { status: ShownStatus; isSign?: boolean }) {
  return (
    <span class={`status is-${status}`} title={isSign ? words[status] : undefined}>
      {status === "running" ? <RunningSign /> : <Icon name={icons[status]} />}
      <span class={isSign ? "unseen-text" : ""}>{words[status]}</span>
    </span>
  );
}

function RunningSign() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" stroke-width="1.5" />
      <path class="turning" d="M8 4a4 4 0 0 1 0 8z" fill="currentColor" />
    </svg>
  );
}
