import { terminalLine } from "../../lib/terminal-text.ts";
import { readTail } from "../../tasks/output/read-output.ts";
import { collapseProgress } from "../../tasks/output/collapse-progress.ts";
import type { Task } from "../../tasks/task.ts";
import type { TaskState } from "../../tasks/task-state.ts";
import { formatAge, formatDuration } from "../render/quantities.ts";
import { shortIds } from "../render/short-ids.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import type { Environment } from "../environment.ts";
import { displayPath } from "../render/display-path.ts";

const LAST_LINE_BYTES = 2000;

/** Tasks as a table that fits the window. */
export function taskTable(
  tasks: readonly Task[],
  { environment, isAll }: { environment: Environment; isAll: boolean },
): string[] {
  const now = new Date();
  const ids = shortIds(tasks.map(({ record }) => record.id));
  const columns: TableColumn<Task>[] = [
    {
      title: "ID",
      value: ({ record }) => ids.get(record.id) ?? record.id,
      paint: (text, style) => style.cyan(text),
    },
    { title: "STATUS", value: ({ state }) => statusText(state), paint: paintStatus },
    { title: "AGE", value: ({ record }) => formatAge(record.startedAt, now), isRight: true, dropOrder: 3 },
    { title: "RUNTIME", value: (task) => runtime(task, now), isRight: true, dropOrder: 2 },
    ...(isAll ? [cwdColumn(environment)] : []),
    {
      title: "COMMAND",
      value: ({ record }) => terminalLine(record.name ?? record.description),
      widthMin: 16,
    },
    {
      title: "LAST LINE",
      value: lastLine,
      widthMin: 16,
      dropOrder: 1,
      paint: (text, style) => style.dim(text),
    },
  ];
  const { stdout } = environment;
  return renderTable(tasks, columns, { columns: stdout.columns, style: makeStyle(stdout) });
}

/** A state in two or three words. */
export function statusText(state: TaskState): string {
  switch (state.status) {
    case "queued":
      return `queued #${state.place}`;
    case "running":
      return state.survivors ? `running (${state.survivors.pids.length} left)` : "running";
    case "failed":
      return state.reason === "exit"
        ? `failed (${state.signal ?? state.exitCode})`
        : `failed (${state.reason})`;
    default:
      return state.status;
  }
}

function paintStatus(text: string, style: Style): string {
  if (text.startsWith("running")) return style.green(text);
  if (text.startsWith("failed") || text.startsWith("lost")) return style.red(text);
  if (text.startsWith("stopped") || text.startsWith("queued")) return style.yellow(text);
  return text;
}

function runtime({ record, state }: Task, now: Date): string {
  if (state.status === "queued") return "";
  const end = "endedAt" in state ? Date.parse(state.endedAt) : now.getTime();
  // A clock that was set back in between tells nothing.
  return formatDuration(Math.max(0, end - Date.parse(record.startedAt)));
}

function lastLine({ files }: Task): string {
  const { text } = readTail(files.output, { bytesMax: LAST_LINE_BYTES });
  const lines = collapseProgress(text)
    .split("\n")
    .map(terminalLine)
    .filter((line) => line !== "");
  return lines.at(-1) ?? "";
}

function cwdColumn({ userHome }: Environment): TableColumn<Task> {
  return {
    title: "IN",
    value: ({ record }) => terminalLine(displayPath(record.cwd, userHome)),
    widthMin: 10,
    isPath: true,
    dropOrder: 4,
    paint: (text, style) => style.dim(text),
  };
}
