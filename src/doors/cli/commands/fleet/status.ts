import { tasksShownMax } from "../../limits.ts";
import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { SessionState } from "../../../../fleet/transport/session-states.ts";
import type { WorkerState } from "../../../../fleet/transport/worker-list.ts";
import { defineCommand, type Command, type CommandContext } from "../../command.ts";
import { cliError } from "../../errors.ts";
import { withProgress } from "../../progress.ts";
import { cutEnd } from "../../render/cut-text.ts";
import { formatAge, plural } from "../../../../lib/quantities.ts";
import type { Style } from "../../render/style.ts";
import { renderTable, type TableColumn } from "../../render/table.ts";
import { openSecondScreen } from "../../second-screen.ts";
import type { FleetOverview } from "../../../../fleet/runs/fleet-overview.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast fleet status --watch", text: "refresh in place until Ctrl+C" },
    { line: "holdfast fleet status --all --json", text: "ended sessions, too; for programs" },
  ],
  options: [
    { flags: "-a, --all", text: "ended sessions, too" },
    { flags: "-w, --watch", text: "refresh in place", conflicts: ["json"] },
  ],
  async run(context, { options: { watch: isWatched = false, all: isAll = false } }) {
    const { stdout } = context.environment;
    if (isWatched && !stdout.isTerminal)
      throw cliError("usage", "Cannot watch: the output is not a terminal; repeat it with --json");
    const { fleet } = await context.runtime();
    if (isWatched) return watch(context, { overviews: fleet.watch(), isAll });
    const overview = await withProgress(context, "Asking the fleet", fleet.overview());
    if (context.isJson) return context.writeJson({ ...shown(overview, isAll) });
    await context.writeLines(fleetScreen(overview, { style: stdout.style, isAll, columns: stdout.columns }));
  },
});

async function watch(
  context: CommandContext,
  { overviews, isAll }: { overviews: AsyncIterable<FleetOverview>; isAll: boolean },
): Promise<void> {
  const { style } = context.environment.stdout;
  let draw: Awaited<ReturnType<typeof openSecondScreen>> | undefined;
  for await (const overview of overviews) {
    // Not before there is something to show: a fleet that cannot be reached is told on the first one.
    draw ??= await openSecondScreen(context.output);
    // Asked each time: the window may have another size by now.
    const { columns, rows } = process.stdout;
    await draw(fleetScreen(overview, { style, isAll, columns }).slice(0, rows - 1));
  }
}

// Ended ones are history, and there may be thousands.
function shown(overview: FleetOverview, isAll: boolean): FleetOverview {
  if (isAll) return overview;
  return { ...overview, sessions: overview.sessions.filter(({ status }) => isOpen(status)) };
}

const isOpen = (status: SessionState["status"]): boolean => status === "queued" || status === "running";

/** The lines that a terminal of so many columns is shown. */
export function fleetScreen(
  overview: FleetOverview,
  { style, isAll, columns }: { style: Style; isAll: boolean; columns: number },
): string[] {
  const { sessions } = shown(overview, isAll);
  const rest = sessions.length - tasksShownMax;
  return [
    style.bold(cutEnd(heading(overview), columns)),
    "",
    ...(overview.workers.length > 0
      ? renderTable(overview.workers, workerColumns, { columns, style })
      : ["No workers. Start one: holdfast fleet worker"]),
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
  { title: "SESSION", value: ({ sessionId }) => terminalLine(sessionId), paint: "cyan", widthMin: 8 },
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
  return status === "running" && needsInput !== undefined ? "needs input" : terminalLine(status);
}

function paintStatus(text: string): keyof Style {
  if (text === "running") return "green";
  if (text === "failed") return "red";
  return text === "completed" ? "dim" : "yellow";
}
