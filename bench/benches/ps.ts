import { spawnSync } from "node:child_process";
import { tasksCompletedMax } from "../../src/doors/cli/limits.ts";
import { openEndedTasks } from "../support/ended-tasks.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { Bench, BenchContext, Contest, Figure, Scale } from "../support/measure.ts";
import { bareNodeSide, commandSide } from "../support/run-program.ts";

const ENDED = { full: 10_000, quick: 1000 };

const wholeProcess = (goal: { atMost?: number }): Figure => ({
  label: "whole process",
  read: ({ wallMs }) => wallMs,
  goal: { kind: "cost", ...goal },
});

export const ps: Bench = {
  name: "ps",
  measures: [
    {
      title: (scale) => `holdfast ps, ${describe(scale)}`,
      against: "node -e 0",
      pairs: { full: 25, quick: 7 },
      figures: [wholeProcess({ atMost: 2.5 })],
      open: async (context) => openPs(context, { args: ["ps"], listed: 1 }),
    },
    {
      // No goal was set for this: it reads every record and the end of every output.
      title: (scale) => `holdfast ps -a, ${describe(scale)}`,
      against: "node -e 0",
      pairs: { full: 9, quick: 3 },
      figures: [wholeProcess({})],
      open: async (context) => openPs(context, { args: ["ps", "-a"], listed: ENDED[context.scale.name] + 1 }),
    },
    {
      // Somebody who presses Tab waits for it. One line, the running task: ids begin with a b.
      title: (scale) => `holdfast completion words -- stop b, ${describe(scale)}`,
      against: "node -e 0",
      pairs: { full: 25, quick: 7 },
      figures: [wholeProcess({ atMost: 2.5 })],
      open: async (context) =>
        openPs(context, { args: ["completion", "words", "--", "stop", "b"], listed: 0 }),
    },
    {
      // Without a goal: unlike ps it asks the index, for the ended ones.
      title: (scale) => `holdfast completion words -- logs b, ${describe(scale)}`,
      against: "node -e 0",
      pairs: { full: 25, quick: 7 },
      figures: [wholeProcess({})],
      // No line is a title.
      open: async (context) =>
        openPs(context, { args: ["completion", "words", "--", "logs", "b"], listed: tasksCompletedMax - 1 }),
    },
  ],
  notMeasured: [
    "many tasks that run at once; the limit is 200",
    "a terminal: the table goes to a pipe",
    "a cold page cache",
  ],
};

function openPs(context: BenchContext, { args, listed }: { args: string[]; listed: number }): Contest {
  const command = installedCommand(context);
  const { home } = openEndedTasks(context, { count: ENDED[context.scale.name] });
  const env = { HOLDFAST_HOME: home, CLAUDE_CONFIG_DIR: `${home}/config` };
  const holdfast = (...words: string[]): string => {
    const [program, ...rest] = [...command, ...words];
    const done = spawnSync(program!, rest, { env: { ...process.env, ...env }, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`Cannot run "holdfast ${words.join(" ")}": ${done.stderr}`);
    return done.stdout.trim();
  };
  const running = holdfast("run", "--", "sleep 100000");
  return {
    peer: bareNodeSide(),
    candidate: commandSide([...command, ...args], {
      env,
      resultOf: (stdout) => stdout.trim().split("\n").length - 1,
    }),
    comparable: false,
    verify: (result) => (result === listed ? undefined : `${String(result)} tasks instead of ${listed}`),
    close: () => {
      holdfast("stop", running);
      holdfast("rm", running);
    },
  };
}

function describe({ name }: Scale): string {
  return `1 task runs, ${ENDED[name].toLocaleString("en")} ended`;
}
