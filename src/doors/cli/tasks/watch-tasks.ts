import { taskCheckMs } from "../../../format/limits.ts";
import { watchRedrawMs } from "../limits.ts";
import { holdfastPaths } from "../../../format/paths.ts";
import { watchChanges } from "../../../lib/watch-changes.ts";
import type { ListTasksOptions } from "../../../tasks/list/list-tasks.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";
import type { CommandContext } from "../command.ts";
import type { Environment } from "../environment.ts";
import { formatCount } from "../../../lib/quantities.ts";
import { cutEnd } from "../render/cut-text.ts";
import { openSecondScreen } from "../second-screen.ts";
import { taskTable } from "./task-table.ts";

/** Of the time, for counting. */
const COUNTING_SHARE = 0.005;

interface Watched {
  tasks: Tasks;
  query: ListTasksOptions;
  /** Of every project. */
  isAll: boolean;
}

/** Shows tasks until Ctrl+C, drawn anew when something changes. */
export async function watchTasks({ environment, output }: CommandContext, watched: Watched): Promise<never> {
  const draw = await openSecondScreen(output);
  // Starts and endings at once; last lines change all the time and wait for the timed check.
  const changes = watchChanges([holdfastPaths(environment.home).runningDir], { checkMs: taskCheckMs });
  const counts = countNowAndThen(watched);
  let resized = (): void => {};
  process.stdout.on("resize", () => resized());
  let change: Promise<unknown> | undefined;
  for (;;) {
    await draw(await screen(await counts(), { environment, ...watched }));
    // Not at once: many tasks may start or end together.
    change ??= new Promise((resolve) => setTimeout(resolve, watchRedrawMs))
      .then(() => changes.next())
      .then(() => (change = undefined));
    await Promise.race([change, new Promise<void>((resolve) => (resized = resolve))]);
  }
}

// Counting takes a list of all, so of many thousand tasks it is done only now and then.
function countNowAndThen({ tasks, query }: Watched): () => Promise<ReadonlyMap<string, number>> {
  let counts = new Map<string, number>();
  let isDueAt = -Infinity;
  return async () => {
    const now = performance.now();
    if (now < isDueAt) return counts;
    counts = new Map();
    for (const { state } of await tasks.overview(query))
      counts.set(state.status, (counts.get(state.status) ?? 0) + 1);
    isDueAt = now + (performance.now() - now) / COUNTING_SHARE;
    return counts;
  };
}

async function screen(
  counts: ReadonlyMap<string, number>,
  { environment, tasks, query, isAll }: { environment: Environment } & Watched,
): Promise<string[]> {
  // Asked each time: the window may have another size by now.
  const { columns, rows } = process.stdout;
  const stdout = { ...environment.stdout, columns };
  const room = Math.max(1, rows - 2);
  const shown = await tasks.overview({ ...query, limit: Math.min(room, query.limit ?? Infinity) });
  const table =
    shown.length > 0 ? [...taskTable(shown, { environment: { ...environment, stdout }, isAll })] : [];
  const total = Math.max(
    shown.length,
    [...counts.values()].reduce((sum, count) => sum + count, 0),
  );
  const isCut = total + 1 > room;
  return [
    stdout.style.bold(cutEnd(heading(counts), columns)),
    ...table.slice(0, isCut ? room - 1 : room),
    ...(isCut ? [cutEnd(`… ${formatCount(total + 1 - (room - 1))} more`, columns)] : []),
  ];
}

function heading(counts: ReadonlyMap<string, number>): string {
  const text = [...counts].map(([status, count]) => `${formatCount(count)} ${status}`).join(", ");
  return `${text === "" ? "Nothing runs" : text}. Ctrl+C leaves.`;
}
