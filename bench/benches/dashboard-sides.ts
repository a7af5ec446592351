import { setTimeout as pause } from "node:timers/promises";
import {
  fillDashboardHome,
  type DashboardHome,
  type HomeOptions,
} from "../support/dashboard/dashboard-home.ts";
import type { DashboardProgram } from "../support/dashboard/dashboard-program.ts";
import { startDashboard, type DashboardServer } from "../support/dashboard/dashboard-server.ts";
import type { LongSession } from "../support/dashboard/long-session.ts";
import { openWatchedPage, type WatchedPage } from "../support/dashboard/watched-page.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { BenchContext, Sample, Scale, Side } from "../support/measure.ts";

/** Folders of the sessions: every row of a list names one. */
const FOLDER_NAME = /\b[a-z]+\.\d+\b/;
/** What every task has, or its name. */
const TASK_TEXT = /echo done|task-\d+/;
const ALL_DAY_APPENDS = { full: 100, quick: 10 };
const FLOOD = { full: 100_000, quick: 2000 };
/** Until a page keeps as much as it ever does. */
const FLOOD_BEFORE = { full: 6000, quick: 500 };
const FLOOD_BATCH = 100;
const FLOOD_PAUSE_MS = 5;
const SCROLL = {
  full: { frames: 300, px: 200, jumps: 20, framesAJump: 6 },
  quick: { frames: 60, px: 200, jumps: 4, framesAJump: 6 },
};
// Not in step with whoever looks at intervals.
const APPEND_PAUSES_MS = [61, 83, 127, 149];

export function describeFlood({ name }: Scale): string {
  return FLOOD[name].toLocaleString("en");
}

/** Starts on a home that it has never seen, and shows the list. */
export function coldSide(context: BenchContext, program: DashboardProgram): Side {
  return onFreshHome(context, program, {}, async ({ server, page, home }) => ({
    result: { sessions: server.sessions - home.long.length },
    figures: {
      listensMs: server.listensMs,
      listedMs: server.listedMs,
      visibleMs: page.list.ms,
      filesKb: page.list.filesKb,
      serverMb: server.peakMb(),
    },
  }));
}

/** Opens one long session, and follows it. */
export function sessionSide(
  context: BenchContext,
  program: DashboardProgram,
  { entries, appends }: { entries: number; appends: number },
): Side {
  return onFreshHome(context, program, { entries: [entries], hasTasks: false }, async ({ page, home }) => {
    const session = home.long[0]!;
    const openMs = await page.openSession(session.sessionId, session.lastWords);
    const { firstMs, p50 } = await measureAppends(page, session, appends);
    return {
      result: { shown: session.lastWords, appended: appends },
      figures: { openMs, firstAppendMs: firstMs, appendP50: p50, nodesMax: await page.nodesMax() },
    };
  });
}

/** What a person does in a day, with one server and one page, which are looked at meanwhile. */
export function allDaySide(
  context: BenchContext,
  program: DashboardProgram,
  { entries }: { entries: readonly number[] },
): Side {
  const { name } = context.scale;
  return onFreshHome(context, program, { entries }, async ({ server, page, home }) => {
    const tasksVisibleMs = await page.openPath("/tasks", TASK_TEXT);
    for (const { sessionId, lastWords } of home.long) await page.openSession(sessionId, lastWords);
    const session = home.long.at(-1)!;
    const { p50, p95 } = await measureAppends(page, session, ALL_DAY_APPENDS[name]);
    const scrolled = await page.scroll(SCROLL[name]);
    await page.toEnd();
    await flood(page, session, { count: FLOOD_BEFORE[name], what: "before" });
    const before = await page.heapMb();
    await flood(page, session, { count: FLOOD[name], what: "flood" });
    const heapGrowthMb = (await page.heapMb()) - before;
    const nodesMax = await page.nodesMax();
    const serverMb = server.peakMb();
    const { p99Ms, maxMs } = await server.stop();
    return {
      result: { followed: session.entries },
      figures: {
        tasksVisibleMs,
        appendP50: p50,
        appendP95: p95,
        ...scrolled,
        heapGrowthMb,
        nodesMax,
        serverMb,
        loopP99Ms: p99Ms,
        loopMaxMs: maxMs,
      },
    };
  });
}

interface Visit {
  readonly server: DashboardServer;
  readonly page: WatchedPage;
  readonly home: DashboardHome;
}

function onFreshHome(
  context: BenchContext,
  program: DashboardProgram,
  options: HomeOptions,
  visit: (visit: Visit) => Promise<Omit<Sample, "wallMs">>,
): Side {
  const sideIn =
    (folder: string): Side =>
    async () => {
      const home = fillDashboardHome(context, folder, options);
      const startedAt = performance.now();
      const server = await startDashboard(program, home);
      try {
        const page = await openWatchedPage(server, FOLDER_NAME);
        try {
          return { ...(await visit({ server, page, home })), wallMs: performance.now() - startedAt };
        } finally {
          await page.close();
        }
      } finally {
        await server.stop();
      }
    };
  return inFreshFolder(context, sideIn, { isKept: true });
}

async function measureAppends(
  page: WatchedPage,
  session: LongSession,
  count: number,
): Promise<{ firstMs: number; p50: number; p95: number }> {
  const append = async (word: string): Promise<number> =>
    page.timeTo(word, () => session.append(`The word is ${word}.`));
  // Written as soon as the session is open: until what follows it is in place.
  const firstMs = await append("appended0x");
  const times: number[] = [];
  for (let number = 1; number <= count; number++) {
    await pause(APPEND_PAUSES_MS[number % APPEND_PAUSES_MS.length]);
    times.push(await append(`appended${number}x`));
  }
  const sorted = times.sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))]!;
  return { firstMs, p50: at(0.5), p95: at(0.95) };
}

/** Many entries, one after the other, until the last one is seen. */
async function flood(
  page: WatchedPage,
  session: LongSession,
  { count, what }: { count: number; what: string },
): Promise<void> {
  for (let from = 0; from < count; from += FLOOD_BATCH) {
    const numbers = Array.from({ length: Math.min(FLOOD_BATCH, count - from) }, (_, step) => from + step);
    session.appendAll(numbers.map((number) => `Entry ${number} of the ${what}.`));
    await pause(FLOOD_PAUSE_MS);
  }
  const last = `last${what}x`;
  await page.timeTo(last, () => session.append(`The word is ${last}.`));
}
