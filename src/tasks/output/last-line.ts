import fs from "node:fs";
import { lastLineLengthMax } from "./limits.ts";
import { terminalLine } from "../../lib/terminal-text.ts";
import { readProgress } from "../kinds/agent/agent-progress.ts";
import type { Task } from "../record/task.ts";
import { isEnded } from "../record/task-state.ts";
import { collapseProgress } from "../../lib/collapse-progress.ts";
import { readTail } from "./read-output.ts";

const LAST_LINE_BYTES = 2000;

/**
 * The last line that a task printed, of the two streams the one that was written last; what came together, by the file
 * system's clock, ended with stderr.
 */
export function lastLine(task: Task): string {
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
  return firstPart(lines.findLast((line) => line !== "") ?? "");
}

// What an agent asks or does; of one that has ended, what it said last.
function agentLine({ files, state }: Task): string {
  const { needsInput, summary, activities = [] } = readProgress(files) ?? {};
  const doing = isEnded(state) ? undefined : (needsInput?.title ?? activities.at(-1)?.text);
  return firstPart(terminalLine(doing ?? summary ?? ""));
}

function firstPart(line: string): string {
  return line.length <= lastLineLengthMax ? line : Array.from(line).slice(0, lastLineLengthMax).join("");
}
