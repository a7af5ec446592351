import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { AgentTodo } from "../../../../tasks/ports.ts";
import { cutEnd } from "../../render/cut-text.ts";
import type { ViewWindow } from "./view-window.ts";

/** The agent's plan: what it does now and next, with the rest counted. Nothing once all of it is done. */
export function todoLines(
  todos: readonly AgentTodo[],
  { columns, style }: ViewWindow,
  rowsMax: number,
): string[] {
  const open = todos.filter(({ status }) => status !== "completed");
  if (open.length === 0 || rowsMax < 2) return [];
  const done = todos.length - open.length;
  const shown = open.slice(0, open.length > rowsMax - 1 ? rowsMax - 2 : rowsMax - 1);
  const hidden = open.length - shown.length;
  return [
    style.dim(cutEnd(`To do: ${done} of ${todos.length} done`, columns)),
    ...shown.map(({ status, content, activeForm }) => {
      const isNow = status === "in_progress";
      const line = cutEnd(terminalLine(isNow ? (activeForm ?? content) : content), columns - 4);
      return isNow ? `  ${style.cyan("▸")} ${style.bold(line)}` : `  ${style.dim("□")} ${line}`;
    }),
    ...(hidden > 0 ? [style.dim(`  … ${hidden} more`)] : []),
  ];
}
