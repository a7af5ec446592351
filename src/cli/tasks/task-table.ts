import fs from "node:fs";
import { terminalLine } from "../../lib/terminal-text.ts";
import { readTail } from "../../tasks/output/read-output.ts";
import { collapseProgress } from "../../tasks/output/collapse-progress.ts";
import { readProgress } from "../../tasks/kinds/agent/agent-progress.ts";
import type { Task } from "../../tasks/task.ts";
import { isEnded } from "../../tasks/task-state.ts";
import { formatAge, formatDuration } from "../render/quantities.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import type { Environment } from "../environment.ts";
import { displayPath } from "../render/display-path.ts";
import { statusText } from "./status-text.ts";

const LAST_LINE_BYTES = 2000;

/** Tasks as a table that fits the window. */
export function taskTable(
  tasks: readonly Task[],
  { environment, isAll }: { environment: Environment; isAll: boolean },
): string[] {
  const now = new Date();
  const columns: TableColumn<Task>[] = [
    { title: "ID", value: ({ record }) => record.id, paint: (text, style) => style.cyan(text) },
    { title: "STATUS", value: taskStatusText, paint: paintStatus },
    { title: "AGE", value: ({ record }) => formatAge(record.startedAt, now), isRight: true, dropOrder: 3 },
    { title: "RUNTIME", value: (task) => runtimeText(task, now), isRight: true, dropOrder: 2 },
    ...(isAll ? [cwdColumn(environment)] : []),
    { title: "TASK", value: taskText, widthMin: 16 },
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

/** How long the command has run, or ran; empty while it waits. */
export function runtimeText({ record, files, state }: Task, now: Date): string {
  if (state.status === "queued") return "";
  const queuedUntil = record.shell.waitsFor && fs.statSync(files.started, { throwIfNoEntry: false });
  const start = queuedUntil ? queuedUntil.mtimeMs : Date.parse(record.startedAt);
  const end = "endedAt" in state ? Date.parse(state.endedAt) : now.getTime();
  // A clock that was set back in between tells nothing.
  return formatDuration(Math.max(0, end - start));
}

function paintStatus(text: string, style: Style): string {
  if (text.startsWith("running")) return style.green(text);
  if (text.startsWith("failed") || text.startsWith("lost")) return style.red(text);
  if (/^(?:stopped|queued|needs input)/.test(text)) return style.yellow(text);
  return style.dim(text);
}

function taskText({ record: { name, description } }: Task): string {
  return terminalLine(name === undefined ? description : `${name}: ${description}`);
}

/** As statusText; an agent that waits for an answer says so. */
export function taskStatusText({ record, files, state }: Task): string {
  const waits = state.status === "running" && record.agent && readProgress(files)?.needsInput;
  return waits ? "needs input" : statusText(state);
}

// What an agent asks or does; of one that has ended, what it said last.
function agentLine({ files, state }: Task): string {
  const { needsInput, summary, activities = [] } = readProgress(files) ?? {};
  const doing = isEnded(state) ? undefined : (needsInput?.title ?? activities.at(-1)?.text);
  return terminalLine(doing ?? summary ?? "");
}

// Of the two streams, the one that was written last; what came together, by the file system's clock, ended with stderr.
function lastLine(task: Task): string {
  const { record, files } = task;
  if (record.agent) return agentLine(task);
  const streams = record.shell.merged ? [files.output] : [files.stderr, files.output];
  const [newest] = streams
    .map((file) => ({ file, stat: fs.statSync(file, { throwIfNoEntry: false }) }))
    .filter(({ stat }) => stat !== undefined && stat.size > 0)
    .sort((a, b) => (b.stat?.mtimeMs ?? 0) - (a.stat?.mtimeMs ?? 0));
  if (!newest) return "";
  const { text } = readTail(newest.file, { bytesMax: LAST_LINE_BYTES });
  const lines = collapseProgress(text).split("\n").map(terminalLine);
  return lines.findLast((line) => line !== "") ?? "";
}

function cwdColumn({ userHome }: Environment): TableColumn<Task> {
  return {
    title: "IN",
    value: ({ record }) => displayPath(record.cwd, userHome),
    widthMin: 10,
    isPath: true,
    dropOrder: 4,
    paint: (text, style) => style.dim(text),
  };
}
