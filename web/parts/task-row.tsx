import { formatDollars, formatTokens } from "../../src/lib/quantities.ts";
import { liveRow } from "../live/live-rows.ts";
import { taskUrl } from "../routing/routes.ts";
import type { Answer } from "../api/route-shapes.ts";
import { Status, statusOf } from "./status.tsx";
import { ago, spanOf } from "./when.ts";

export type TaskRowData = Answer<"GET /api/tasks">["tasks"][number];

/** What a person calls a task. */
export function titleOf({
  name,
  description,
  command,
  id,
}: Pick<TaskRowData, "name" | "description" | "command" | "id">): string {
  return name || description || command || id;
}

/** The last part of a folder. */
export function folderName(cwd: string): string {
  return cwd.split("/").findLast((part) => part !== "") ?? "/";
}

/** A task in a list, in two lines, as it is now. */
export function TaskRow({ task, isCurrent = false }: { task: TaskRowData; isCurrent?: boolean }) {
  const row = liveRow(task).value;
  const isCommand = row.kind === "local_bash";
  return (
    <a
      class="task-row"
      href={taskUrl(row.id)}
      aria-current={isCurrent ? "true" : undefined}
      data-task={row.id}
    >
      <span class="row-icon">
        <Status status={statusOf(row)} isSign />
      </span>
      <span class="row-title">
        <b class="cut" dir="auto">
          {titleOf(row)}
        </b>
        {row.name && row.description && row.description !== row.command && (
          <span class="second cut" dir="auto">
            {row.description}
          </span>
        )}
        <span class="third cut">{folderName(row.cwd)}</span>
      </span>
      <span class="row-side">{endWord(row)}</span>
      <span class={`row-line cut ${isCommand ? "mono" : ""}`} dir="auto">
        {row.needsInput
          ? row.needsInput.title
          : row.lastLine || (row.status === "queued" ? "waits for its turn" : row.command)}
      </span>
      <span class="row-side">{usedWords(row)}</span>
    </a>
  );
}

function endWord(row: TaskRowData): string {
  if (row.status === "queued") return row.place === undefined ? "queued" : `${row.place} in line`;
  if (row.status === "running") return spanOf(row.beganAt, null);
  const how =
    row.status === "failed"
      ? (row.signal ?? (row.reason === "exit" ? `exit ${row.exitCode}` : row.reason))
      : undefined;
  return [how, ago(row.endedAt)].filter(Boolean).join(" · ");
}

function usedWords({ kind, agentType, tokens, costUsd }: TaskRowData): string {
  if (kind === "local_bash") return "";
  const used = [tokens ? formatTokens(tokens) : "", costUsd ? formatDollars(costUsd) : ""].filter(Boolean);
  return [agentType ?? "agent", ...used].join(" · ");
}
