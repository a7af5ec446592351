import fs from "node:fs";
import path from "node:path";
import { openEndedTasks, type EndedTasks } from "../support/ended-tasks.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { BenchContext, Measure, Side } from "../support/measure.ts";
import { commandSide, peakSide, programSide } from "../support/run-program.ts";
import { describe, growingMeasures, type Growing, type Sizes } from "./growth-sides.ts";
import { hookSide, startEvent } from "./hook.ts";

const TASKS: Growing["sizes"] = {
  full: { few: 10_000, many: 50_000 },
  quick: { few: 500, many: 2000 },
};
const UNTOLD = 20;
const FAST = { full: 11, quick: 3 };
const SLOW = { full: 5, quick: 3 };
const WATCHED_SECONDS = { full: 20, quick: 5 };
/** Noise of what must not grow at all. */
const FLAT = 1.15;

const byId = { atMost: { many: 2.5 } };
const byPlace = { atMost: { many: 3 } };

/** In this order: the first finds nothing that is derived, and the last start tasks of their own. */
export const taskMeasures: readonly Measure[] = [
  ...firstMeasures(),
  ...commandMeasures("logs ID", { ...byId, args: ({ id }) => ["logs", id], shows: /^done$/m }),
  ...commandMeasures("wait ID", { ...byId, args: ({ id }) => ["wait", id], shows: /completed/ }),
  ...commandMeasures("stop ID", { ...byId, args: ({ id }) => ["stop", id], shows: /^$/ }),
  ...commandMeasures("inspect ID", { ...byId, args: ({ id }) => ["inspect", id], shows: /bench/ }),
  ...commandMeasures("logs @last", { ...byPlace, args: () => ["logs", "@last"], shows: /^done$/m }),
  ...commandMeasures("logs NAME", { ...byPlace, args: ({ name }) => ["logs", name], shows: /^done$/m }),
  ...commandMeasures("ps -a -n 20", { ...byPlace, args: () => ["ps", "-a", "-n", "20"], lists: () => 20 }),
  ...commandMeasures(`notices, ${UNTOLD} untold`, {
    ...byPlace,
    args: () => ["notices"],
    lists: () => UNTOLD,
  }),
  ...commandMeasures("ps -a > file", {
    atMost: { few: 8, many: 20 },
    args: () => ["ps", "-a"],
    lists: (count) => count,
    pairs: SLOW,
  }),
  ...watchMeasures(),
  ...commandMeasures("doctor", {
    atMost: { many: 40 },
    args: () => ["doctor"],
    shows: /lost-tasks/,
    pairs: SLOW,
  }),
  ...(["few", "many"] as const).map(doctorMemory),
  ...commandMeasures("search, no transcripts and no index of words", {
    slopeAtMost: FLAT,
    args: () => ["search", "--all", "zyxquokka"],
    shows: /^$/,
    pairs: SLOW,
  }),
  ...commandMeasures("ps", { slopeAtMost: FLAT, args: () => ["ps"], shows: /^$/ }),
  ...growingMeasures({
    what: "a hook, a session that begins",
    noun: "tasks",
    sizes: TASKS,
    pairs: FAST,
    slopeAtMost: FLAT,
    open: openHook,
  }),
  ...commandMeasures("run", { slopeAtMost: FLAT, args: () => ["run", "--", "true"], shows: /^b\w{8}$/ }),
];

interface Command extends Pick<Growing, "atMost" | "slopeAtMost"> {
  readonly args: (tasks: EndedTasks) => readonly string[];
  /** What it prints, or how many lines below a heading. */
  readonly shows?: RegExp;
  readonly lists?: (count: number) => number;
  readonly pairs?: Measure["pairs"];
}

function commandMeasures(what: string, { args, shows, lists, pairs = FAST, ...goals }: Command): Measure[] {
  return growingMeasures({
    what,
    noun: "tasks",
    sizes: TASKS,
    pairs,
    ...goals,
    open: (context, count) => {
      const tasks = openTasks(context, count);
      return {
        candidate: holdfastSide(context, tasks, args(tasks)),
        verify: (result) => check(String(result), { shows, listed: lists?.(count) }),
      };
    },
  });
}

function openTasks(context: BenchContext, count: number): EndedTasks {
  return openEndedTasks(context, { count, untold: UNTOLD });
}

function envOf({ home }: EndedTasks): { HOLDFAST_HOME: string; CLAUDE_CONFIG_DIR: string } {
  return { HOLDFAST_HOME: home, CLAUDE_CONFIG_DIR: path.join(home, "config") };
}

// Into a file: who reads a pipe would be measured, too.
function holdfastSide(context: BenchContext, tasks: EndedTasks, args: readonly string[]): Side {
  const file = path.join(context.scratchDir, "printed");
  const run = commandSide(["sh", "-c", 'exec "$@" > "$0"', file, ...installedCommand(context), ...args], {
    env: envOf(tasks),
  });
  return async () => ({ ...(await run()), result: fs.readFileSync(file, "utf8").trim() });
}

function check(
  printed: string,
  { shows, listed }: { shows: RegExp | undefined; listed: number | undefined },
): string | undefined {
  if (shows && !shows.test(printed)) return `it printed ${JSON.stringify(printed.slice(0, 300))}`;
  const lines = printed.split("\n").length - 1;
  return listed === undefined || lines === listed ? undefined : `${lines} lines instead of ${listed}`;
}

function firstMeasures(): Measure[] {
  return (["few", "many"] as const).map((size) => ({
    title: ({ name }) => `the first ps -a, nothing derived, ${describe(TASKS[name][size], "tasks")}`,
    pairs: { full: 1, quick: 1 },
    figures: [{ label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "limit", unit: "ms" } }],
    open: async (context) => {
      const tasks = openTasks(context, TASKS[context.scale.name][size]);
      return { candidate: holdfastSide(context, tasks, ["ps", "-a"]) };
    },
  }));
}

function watchMeasures(): Measure[] {
  return (["few", "many"] as const).map((size) => ({
    title: ({ name }) => `ps -a --watch while nothing happens, ${describe(TASKS[name][size], "tasks")}`,
    pairs: { full: 2, quick: 1 },
    figures: [
      {
        label: "CPU, of one core",
        read: ({ figures }) => figures?.["cpuPercent"],
        goal: { kind: "limit", unit: "%", ...(size === "many" ? { atMost: 2 } : {}) },
      },
    ],
    open: async (context) => {
      const { name } = context.scale;
      const tasks = openTasks(context, TASKS[name][size]);
      const args = [String(WATCHED_SECONDS[name]), ...installedCommand(context), "ps", "-a", "--watch"];
      return { candidate: programSide("watch-idle.mjs", { args, env: envOf(tasks) }) };
    },
  }));
}

function doctorMemory(size: keyof Sizes): Measure {
  return {
    title: ({ name }) => `doctor, ${describe(TASKS[name][size], "tasks")}`,
    pairs: { full: 2, quick: 1 },
    figures: [
      {
        label: "peak memory",
        read: ({ rssBytes }) => (rssBytes ?? Number.NaN) / 1e6,
        goal: { kind: "limit", atMost: 200, unit: "MB" },
      },
    ],
    open: async (context) => {
      const tasks = openTasks(context, TASKS[context.scale.name][size]);
      const command = [...installedCommand(context), "doctor"];
      return { candidate: peakSide(command, { env: envOf(tasks), dir: context.scratchDir }) };
    },
  };
}

function openHook(context: BenchContext, count: number): { candidate: Side } {
  const { home } = openTasks(context, count);
  const dir = path.join(home, "work", "0");
  const env = { HOLDFAST_HOME: home, CLAUDE_PROJECT_DIR: dir, CLAUDE_PID: String(process.pid) };
  return { candidate: hookSide(context, { dir, env, event: startEvent(dir), resultOf: (stdout) => stdout }) };
}
