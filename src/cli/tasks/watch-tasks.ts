import { taskCheckMs, watchRedrawMs } from "../../format/limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import type { Task } from "../../tasks/task.ts";
import type { CommandContext } from "../command.ts";
import type { Environment } from "../environment.ts";
import { formatCount } from "../render/quantities.ts";
import { cutEnd } from "../render/cut-text.ts";
import { makeStyle } from "../render/style.ts";
import { taskTable } from "./task-table.ts";

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const REDRAW = "\u001b[H\u001b[J";

/**
 * Shows tasks until Ctrl+C, drawn anew when something changes. On a screen of its own, so that the terminal is as it was
 * afterwards, whatever ends it.
 */
export async function watchTasks(
  { environment, output }: CommandContext,
  { list, isAll }: { list: () => Task[]; isAll: boolean },
): Promise<never> {
  process.once("exit", () => process.stdout.write(LEAVE));
  await output.write(ENTER);
  // Starts and endings at once; last lines change all the time and wait for the timed check.
  const changes = watchChanges([holdfastPaths(environment.home).runningDir], { checkMs: taskCheckMs });
  let resized = (): void => {};
  process.stdout.on("resize", () => resized());
  let change: Promise<unknown> | undefined;
  for (;;) {
    await output.write(REDRAW + screen(list(), { environment, isAll }).join("\n"));
    await output.flush();
    // Not at once: many tasks may start or end together.
    change ??= new Promise((resolve) => setTimeout(resolve, watchRedrawMs))
      .then(() => changes.next())
      .then(() => (change = undefined));
    await Promise.race([change, new Promise<void>((resolve) => (resized = resolve))]);
  }
}

function screen(
  tasks: readonly Task[],
  { environment, isAll }: { environment: Environment; isAll: boolean },
): string[] {
  // Asked each time: the window may have another size by now.
  const { columns, rows } = process.stdout;
  const stdout = { ...environment.stdout, columns };
  const table = tasks.length > 0 ? taskTable(tasks, { environment: { ...environment, stdout }, isAll }) : [];
  const room = Math.max(1, rows - 2);
  const isCut = table.length > room;
  return [
    makeStyle(stdout).bold(cutEnd(heading(tasks), columns)),
    ...table.slice(0, isCut ? room - 1 : room),
    ...(isCut ? [cutEnd(`… ${formatCount(table.length - room + 1)} more`, columns)] : []),
  ];
}

function heading(tasks: readonly Task[]): string {
  const counts = new Map<string, number>();
  for (const { state } of tasks) counts.set(state.status, (counts.get(state.status) ?? 0) + 1);
  const text = [...counts].map(([status, count]) => `${formatCount(count)} ${status}`).join(", ");
  return `${text === "" ? "Nothing runs" : text}. Ctrl+C leaves.`;
}
