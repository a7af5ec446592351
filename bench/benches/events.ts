import { execFileSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import { openEndedTasks } from "../support/ended-tasks.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Figure, Scale, Side } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";

const TASKS = { full: 10_000, quick: 500 };
const FEW_TASKS = 10;
const UPDATED = { full: 25, quick: 5 };

const busy = (goal: Figure["goal"]): Figure => ({
  label: "watcher busy for one update",
  read: ({ figures }) => figures?.["updateMs"],
  goal,
});

export const events: Bench = {
  name: "events",
  measures: [
    {
      title: (scale) => `one update among ${describe(scale)} tasks`,
      against: "spread of the state",
      pairs: { full: 7, quick: 3 },
      figures: [busy({ kind: "speedup" })],
      open: async (context) => ({
        peer: programSide("spread-state.mjs", { args: [String(TASKS[context.scale.name]), "200"] }),
        candidate: watchSide(context, TASKS[context.scale.name]),
        comparable: false,
        verify: (result) => checkUpdates(result, context),
      }),
    },
    {
      title: (scale) => `one update among ${describe(scale)} tasks`,
      against: `the same among ${FEW_TASKS}`,
      pairs: { full: 7, quick: 3 },
      figures: [busy({ kind: "cost", atMost: 1.5 })],
      open: async (context): Promise<Contest> => ({
        peer: watchSide(context, FEW_TASKS),
        candidate: watchSide(context, TASKS[context.scale.name]),
        verify: (result) => checkUpdates(result, context),
      }),
    },
  ],
  notMeasured: [
    "the 8,000× of the goal: it compares two ways to keep tasks in memory, and Holdfast keeps none there. The files are the registry, so an update is read from them, and what counts is that it costs the same however many tasks there are",
    "the time from the change to the event (bench `notice`)",
    "several updates at once, which are told together",
  ],
};

function watchSide(context: BenchContext, tasks: number): Side {
  const { home: ended } = openEndedTasks(context, { count: tasks });
  return inFreshFolder(context, (home) => {
    // Second names for the files, which nobody changes: copies would take longer than all that is measured.
    execFileSync("cp", ["-al", `${ended}/.`, home]);
    return programSide("holdfast-events.mjs", { args: [home, String(UPDATED[context.scale.name])] });
  });
}

function checkUpdates(result: unknown, { scale }: BenchContext): string | undefined {
  const told = result as string[][];
  const expected = ["task_started", "task_updated", "task_notification"];
  const isWhole = told.every((subtypes) => isDeepStrictEqual(subtypes, expected));
  return isWhole && told.length === UPDATED[scale.name]
    ? undefined
    : "not every task was told from start to end";
}

function describe({ name }: Scale): string {
  return TASKS[name].toLocaleString("en");
}
