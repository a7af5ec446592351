import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { ChatTask } from "../state/chat-state.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { displayWidth } from "../../render/display-width.ts";
import type { ViewWindow } from "./view-window.ts";

const SEPARATOR = " · ";

/** What runs in the background, in one line: as many as fit by name, the others by number. */
export function taskLine(tasks: readonly ChatTask[], { columns, style }: ViewWindow): string | undefined {
  if (tasks.length === 0) return undefined;
  const names = tasks.map((task) => `${task.id} ${taskWord(task)}`);
  const head = `⚙ ${tasks.length}`;
  let line = head;
  let shown = 0;
  for (const name of names) {
    const rest = tasks.length - shown - 1;
    const tail = rest > 0 ? `${SEPARATOR}+${rest}` : "";
    const next = `${line}${SEPARATOR}${name}`;
    if (displayWidth(next) + displayWidth(tail) > columns) break;
    line = next;
    shown++;
  }
  if (shown === 0) line = cutEnd(`${head}${SEPARATOR}${names[0]}`, columns);
  else if (shown < tasks.length) line += `${SEPARATOR}+${tasks.length - shown}`;
  return tasks.some(({ needsInput }) => needsInput) ? style.yellow(line) : style.dim(line);
}

function taskWord({ needsInput, label, status }: ChatTask): string {
  if (needsInput) return "needs input";
  return status === "ended" ? status : cutEnd(terminalLine(label), 24);
}
