import { terminalLine, terminalText } from "../../../lib/terminal-text.ts";
import type { ListedTask } from "../../../tasks/list/listed-task.ts";
import type { Environment } from "../environment.ts";
import { displayPath } from "../render/display-path.ts";
import { formatAge, formatDuration } from "../../../lib/quantities.ts";
import type { Style } from "../render/style.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { statusText } from "./status-text.ts";

/** Tasks as a table that fits the window. */
export function taskTable(
  tasks: readonly ListedTask[],
  { environment, isAll }: { environment: Environment; isAll: boolean },
): Iterable<string> {
  const now = new Date();
  const columns: TableColumn<ListedTask>[] = [
    { title: "ID", value: ({ id }) => id, paint: "cyan" },
    { title: "STATUS", value: ({ state }) => statusText(state), paint: paintStatus },
    { title: "AGE", value: ({ startedAtMs }) => formatAge(startedAtMs, now), isRight: true, dropOrder: 3 },
    { title: "RUNTIME", value: (task) => runtimeText(task, now), isRight: true, dropOrder: 2 },
    ...(isAll ? [cwdColumn(environment)] : []),
    { title: "TASK", value: taskText, widthMin: 16 },
    {
      title: "LAST LINE",
      value: ({ lastLine }) => terminalText(lastLine),
      widthMin: 16,
      dropOrder: 1,
      paint: "dim",
    },
  ];
  return renderTable(tasks, columns, environment.stdout);
}

/** How long the command has run, or ran; empty while it waits. */
export function runtimeText({ beganAtMs, endedAtMs, state }: ListedTask, now: Date): string {
  if (state.status === "queued") return "";
  // A clock that was set back in between tells nothing.
  return formatDuration(Math.max(0, (endedAtMs ?? now.getTime()) - beganAtMs));
}

function paintStatus(text: string): keyof Style {
  if (text.startsWith("running")) return "green";
  if (text.startsWith("failed") || text.startsWith("lost")) return "red";
  return /^(?:stopped|queued|needs input)/.test(text) ? "yellow" : "dim";
}

function taskText({ name, description }: ListedTask): string {
  return terminalLine(name === undefined ? description : `${name}: ${description}`);
}

function cwdColumn({ userHome }: Environment): TableColumn<ListedTask> {
  // Thousands of tasks have run in a few folders.
  const paths = new Map<string, string>();
  return {
    title: "IN",
    value: ({ cwd }) => {
      const path = paths.get(cwd) ?? displayPath(cwd, userHome);
      paths.set(cwd, path);
      return path;
    },
    widthMin: 10,
    isPath: true,
    dropOrder: 4,
    paint: "dim",
  };
}
