import type {
  Bench,
  BenchContext,
  Contest,
  Figure,
  Measure,
  Scale,
  Unavailable,
} from "../support/measure.ts";
import { cloudCliProgram } from "../support/dashboard/cloudcli-program.ts";
import { describeHome } from "../support/dashboard/dashboard-home.ts";
import type { DashboardProgram } from "../support/dashboard/dashboard-program.ts";
import { holdfastProgram } from "../support/dashboard/holdfast-program.ts";
import { findBrowser } from "../support/dashboard/watched-page.ts";
import { allDaySide, coldSide, describeFlood, sessionSide } from "./dashboard-sides.ts";

const ENTRIES = { full: [10_000, 100_000], quick: [1000, 5000] } as const;
const APPENDS = { full: 5, quick: 2 };
const PEER = "CloudCLI";

const figure =
  (name: string): Figure["read"] =>
  ({ figures }) =>
    figures?.[name];

const limit = (label: string, name: string, goal: { atMost?: number; unit: LimitUnit }): Figure => ({
  label,
  read: figure(name),
  goal: { kind: "limit", ...goal },
});

type LimitUnit = Extract<Figure["goal"], { kind: "limit" }>["unit"];

/** Beside the peer, and against the limit. */
const both = (label: string, name: string, goal: { atMost: number; unit: LimitUnit }): Figure[] => [
  { label, read: figure(name), goal: { kind: "speedup" } },
  limit(label, name, goal),
];

export const dashboard: Bench = {
  name: "dashboard",
  measures: [
    {
      title: (scale) => `a cold home of ${describeHome(scale)}`,
      against: PEER,
      pairs: { full: 3, quick: 1 },
      figures: [
        ...both("listens", "listensMs", { atMost: 1000, unit: "ms" }),
        ...both("lists all sessions, we all tasks, too", "listedMs", { atMost: 1000, unit: "ms" }),
        ...both("list visible", "visibleMs", { atMost: 300, unit: "ms" }),
        ...both("files of the page until then", "filesKb", { atMost: 90, unit: "KB" }),
        ...both("peak memory of the server", "serverMb", { atMost: 150, unit: "MB" }),
      ],
      open: (context) => openBeside(context, coldSide),
    },
    ...([0, 1] as const).map(sessionMeasure),
    {
      title: (scale) =>
        `both, and the longer one followed and scrolled, with ${describeFlood(scale)} entries more: one server, one page`,
      pairs: { full: 1, quick: 1 },
      figures: [
        limit("list of tasks visible", "tasksVisibleMs", { atMost: 300, unit: "ms" }),
        limit("append to pixel, p50", "appendP50", { atMost: 50, unit: "ms" }),
        limit("append to pixel, p95", "appendP95", { atMost: 100, unit: "ms" }),
        limit("scroll, frame p95", "frameP95Ms", { atMost: 25, unit: "ms" }),
        limit("scroll, tasks over 50 ms", "longTasks", { atMost: 0, unit: "tasks" }),
        limit("scroll, longest such task", "longestTaskMs", { unit: "ms" }),
        limit("scroll, frames with a row that is not there yet", "missingPercent", { unit: "%" }),
        limit("heap growth by the entries more", "heapGrowthMb", { atMost: 5, unit: "MB" }),
        limit("elements of the page", "nodesMax", { atMost: 1500, unit: "nodes" }),
        limit("server's loop blocked, p99", "loopP99Ms", { atMost: 20, unit: "ms" }),
        limit("server's loop blocked, longest", "loopMaxMs", { unit: "ms" }),
        limit("peak memory of the server", "serverMb", { unit: "MB" }),
      ],
      open: openAllDay,
    },
  ],
  notMeasured: [
    "a GPU, and a screen: the browser draws into memory",
    "tasks in the peer, which knows none: its home has them, and it does not look",
    "the peer's first page, which asks for a name, a password and those of git: it is answered before the clock starts",
    "100,000 separate messages to the browser: entries that come together are told together",
    "other peers: none other installs without a script that compiles or fetches, and starts without a login at a vendor",
  ],
};

function sessionMeasure(which: 0 | 1): Measure {
  return {
    title: (scale) => `a session of ${describeLong(scale, which)}, of ${scale.sessions.toLocaleString("en")}`,
    against: PEER,
    pairs: { full: 3, quick: 1 },
    figures: [
      ...both("open", "openMs", { atMost: 300, unit: "ms" }),
      { label: "first append to pixel", read: figure("firstAppendMs"), goal: { kind: "speedup" } },
      limit("first append to pixel", "firstAppendMs", { unit: "ms" }),
      ...both("append to pixel, p50", "appendP50", { atMost: 50, unit: "ms" }),
      ...both("elements of the page", "nodesMax", { atMost: 1500, unit: "nodes" }),
    ],
    open: (context) =>
      openBeside(context, (each, program) =>
        sessionSide(each, program, {
          entries: ENTRIES[each.scale.name][which],
          appends: APPENDS[each.scale.name],
        }),
      ),
  };
}

function openBeside(
  context: BenchContext,
  sideOf: (context: BenchContext, program: DashboardProgram) => Contest["candidate"],
): Promise<Contest | Unavailable> {
  return whereBrowserIs(() => {
    const { peer, program } = cloudCliProgram(context);
    return {
      peer: sideOf(context, program),
      candidate: sideOf(context, holdfastProgram(context)),
      peersUsed: [peer],
    };
  });
}

function openAllDay(context: BenchContext): Promise<Contest | Unavailable> {
  return whereBrowserIs(() => ({
    candidate: allDaySide(context, holdfastProgram(context), { entries: ENTRIES[context.scale.name] }),
  }));
}

async function whereBrowserIs(open: () => Contest): Promise<Contest | Unavailable> {
  return findBrowser() === undefined
    ? { unavailable: "a Chromium, on the PATH or named by HOLDFAST_CHROMIUM" }
    : open();
}

function describeLong({ name }: Scale, which: 0 | 1): string {
  return `${ENTRIES[name][which].toLocaleString("en")} entries`;
}
