import { setTimeout } from "node:timers/promises";
import { fleetStatusMs } from "../../../fleet/runs/limits.ts";
import { tasksShownMax } from "../limits.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { SessionState } from "../../../fleet/transport/session-states.ts";
import type { WorkerState } from "../../../fleet/transport/worker-list.ts";
import type { CommandContext } from "../command.ts";
import { cliError } from "../errors.ts";
import { withProgress } from "../progress.ts";
import { cutEnd } from "../render/cut-text.ts";
import { formatAge, plural } from "../../../lib/quantities.ts";
import type { Style } from "../render/style.ts";
import { renderTable, type TableColumn } from "../render/table.ts";
import { readOverview, type FleetOverview } from "../../../fleet/runs/fleet-overview.ts";
import { openFleet } from "./open-fleet.ts";

/** `holdfast fleet status`. */
export async function fleetStatus(
  context: CommandContext,
  { isWatched, isAll }: { isWatched: boolean; isAll: boolean },
): Promise<void> {
  const { environment, output } = context;
  if (isWatched && !environment.stdout.isTerminal)
    throw cliError("usage", "Cannot watch: the output is no terminal; ask again and again with --json");
  const connection = await openFleet(context, "watcher");
  try {
    const first = await withProgress(context, "Asking the fleet", readOverview(connection));
    if (context.isJson) return await context.writeJson({ ...shown(first, isAll) });
    if (!isWatched) {
      const { columns } = environment.stdout;
      return await context.writeLines(screen(first, { context, isAll, columns }));
    }
    process.once("exit", () => process.stdout.write(LEAVE));
    await output.write(ENTER);
    for (let overview = first; ; overview = await readOverview(connection)) {
      // Asked each time: the window may have another size by now.
      const { columns, rows } = process.stdout;
      await output.write(
        REDRAW +
          screen(overview, { context, isAll, columns })
            .slice(0, rows - 1)
            .join("\n"),
      );
      await output.flush();
      await setTimeout(fleetStatusMs);
    }
  } finally {
    await connection.close();
  }
}

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const REDRAW = "\u001b[H\u001b[J";

// Ended ones are history, and there may be thousands.
function shown(overview: FleetOverview, isAll: boolean): FleetOverview {
  if (isAll) return overview;
  return { ...overview, sessions: overview.sessions.filter(({ status }) => isOpen(status)) };
}

const isOpen = (status: SessionState["status"]): boolean => status === "queued" || status === "running";

function screen(
  overview: FleetOverview,
  { context, isAll, columns }: { context: CommandContext; isAll: boolean; columns: number },
): string[] {
  const { style } = context.environment.stdout;
  const { sessions } = shown(overview, isAll);
  const rest = sessions.length - tasksShownMax;
  return [
    style.bold(cutEnd(heading(overview), columns)),
    "",
    ...(overview.workers.length > 0
      ? renderTable(overview.workers, workerColumns, { columns, style })
      : ["No worker is there. Start one: holdfast fleet worker"]),
    ...(sessions.length > 0
      ? ["", ...renderTable(sessions.slice(0, tasksShownMax), sessionColumns, { columns, style })]
      : []),
    ...(rest > 0 ? [`… ${rest} more; --json gives all`] : []),
  ];
}

function heading({ workers, sessions, queues, handOvers }: FleetOverview): string {
  const busy = workers.reduce((sum, worker) => sum + worker.busy, 0);
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const running = sessions.filter(({ status }) => status === "running").length;
  return [
    plural(workers.length, "worker"),
    `${busy} of ${plural(slots, "slot")} busy`,
    `${running} running`,
    `${waiting} waiting`,
    plural(handOvers, "hand-over"),
  ].join(", ");
}

const workerColumns: TableColumn<WorkerState>[] = [
  { title: "WORKER", value: ({ id }) => terminalLine(id), paint: "cyan", widthMin: 12 },
  { title: "HOST", value: ({ host }) => terminalLine(host), widthMin: 8, dropOrder: 3 },
  { title: "LOAD", value: ({ busy, slots }) => `${busy}/${slots}`, isRight: true },
  { title: "LABELS", value: ({ labels }) => terminalLine(labels.join(" ")), widthMin: 8, dropOrder: 2 },
  { title: "SEEN", value: ({ at }) => formatAge(at, new Date()), isRight: true, dropOrder: 1 },
];

const sessionColumns: TableColumn<SessionState>[] = [
  { title: "SESSION", value: ({ sessionId }) => sessionId, paint: "cyan", widthMin: 8 },
  { title: "STATUS", value: statusText, paint: paintStatus },
  {
    title: "AGE",
    value: ({ dispatchedAt }) => formatAge(dispatchedAt, new Date()),
    isRight: true,
    dropOrder: 2,
  },
  { title: "WORKER", value: ({ worker = "" }) => terminalLine(worker), widthMin: 10, dropOrder: 4 },
  { title: "MOVED", value: ({ handOvers }) => String(handOvers), isRight: true, dropOrder: 3 },
  { title: "RUN", value: ({ description }) => terminalLine(description), widthMin: 16 },
  {
    title: "FROM",
    value: ({ origin }) => terminalLine(`${origin.user}@${origin.host}`),
    widthMin: 10,
    dropOrder: 5,
  },
];

function statusText({ status, needsInput }: SessionState): string {
  return status === "running" && needsInput !== undefined ? "needs input" : status;
}

function paintStatus(text: string): keyof Style {
  if (text === "running") return "green";
  if (text === "failed") return "red";
  return text === "completed" ? "dim" : "yellow";
}
