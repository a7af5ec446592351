import fs from "node:fs";
import path from "node:path";
import { makeEndedTasks } from "../support/ended-tasks.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { BenchContext, Figure, Measure, Side } from "../support/measure.ts";
import { commandSide } from "../support/run-program.ts";
import { describe, type Growing } from "./growth-sides.ts";
import { openSmallSessions } from "./small-sessions.ts";

const PRUNED: Growing["sizes"] = { full: { few: 1000, many: 10_000 }, quick: { few: 100, many: 1000 } };
const ARCHIVED: Growing["sizes"] = { full: { few: 375, many: 3750 }, quick: { few: 50, many: 500 } };
const PAIRS = { full: 3, quick: 1 };
/** Past the 30 days after which `prune` removes a task, and the 90 days after which it removes manifests. */
const OLD_DAYS = 100;
/** Ten times as much may take ten times as long, and a fifth more is noise. */
const LINEAR = 12;

export const removalMeasures: readonly Measure[] = [
  prune({ projects: 1, where: "one project" }),
  prune({ projects: 100, where: "100 projects" }),
  {
    title: ({ name }) =>
      `archive --older-than, ${describe(ARCHIVED[name].many, "small sessions")} against ${describe(ARCHIVED[name].few)}`,
    against: "itself with few",
    pairs: PAIRS,
    figures: [
      ...cpuFigures({ atMostMs: 6000 }),
      {
        label: "disk afterwards, of before",
        read: ({ figures }) => figures?.["diskPercent"],
        // As much would be no gain.
        goal: { kind: "limit", atMost: 99, unit: "%" },
      },
    ],
    open: async (context) => {
      const { few, many } = ARCHIVED[context.scale.name];
      const side = (count: number): Side => archiveSide(context, count);
      return {
        peer: side(few),
        candidate: side(many),
        comparable: false,
        verify: (left) => (left === 0 ? undefined : `${String(left)} sessions were not archived`),
      };
    },
  },
];

function prune({ projects, where }: { projects: number; where: string }): Measure {
  return {
    title: ({ name }) =>
      `prune, ${describe(PRUNED[name].many, "old tasks")} against ${describe(PRUNED[name].few)}, ${where}`,
    against: "itself with few",
    pairs: PAIRS,
    figures: [
      ...cpuFigures({ atMostMs: 5000 }),
      {
        label: "left in projects/ and manifests/ after the next prune",
        read: ({ figures }) => figures?.["left"],
        goal: { kind: "limit", atMost: 0, unit: "entries" },
      },
    ],
    open: async (context) => {
      const { few, many } = PRUNED[context.scale.name];
      return {
        peer: pruneSide(context, { count: few, projects }),
        candidate: pruneSide(context, { count: many, projects }),
        comparable: false,
        verify: (left) => (left === 0 ? undefined : `${String(left)} tasks were not removed`),
      };
    },
  };
}

function cpuFigures({ atMostMs }: { atMostMs: number }): Figure[] {
  const read: Figure["read"] = ({ cpuMs }) => cpuMs;
  return [
    { label: "CPU", read, goal: { kind: "limit", atMost: atMostMs, unit: "ms" } },
    { label: "CPU, slope", read, goal: { kind: "cost", atMost: LINEAR } },
  ];
}

function pruneSide(context: BenchContext, tasks: { count: number; projects: number }): Side {
  const sideIn = (dir: string): Side => {
    const { home } = makeEndedTasks(path.join(dir, "home"), { ...tasks, youngestDays: OLD_DAYS });
    const env = { HOLDFAST_HOME: home, CLAUDE_CONFIG_DIR: path.join(dir, "config") };
    const run = commandSide([...installedCommand(context), "prune", "--yes"], { env });
    return async () => {
      const sample = await run();
      // A project's manifest is put aside by the first and removed by the next: a launch may be writing to it just then.
      await run();
      const names = namesIn(home);
      const left = names.filter((name) => /^(?:projects|manifests)./.test(name)).length;
      const tasksLeft = names.filter((name) => name.endsWith(".end.json")).length;
      return { ...sample, result: tasksLeft, figures: { left } };
    };
  };
  return inFreshFolder(context, sideIn);
}

function archiveSide(context: BenchContext, count: number): Side {
  const { configDir: original } = openSmallSessions(context, count);
  return inFreshFolder(context, (dir) => {
    const configDir = path.join(dir, "config");
    const home = path.join(dir, "home");
    fs.cpSync(original, configDir, { recursive: true, preserveTimestamps: true });
    const before = diskBytes(dir);
    const run = commandSide([...installedCommand(context), "archive", "--older-than", "60d", "--yes"], {
      env: { HOLDFAST_HOME: home, CLAUDE_CONFIG_DIR: configDir },
    });
    return async () => {
      const sample = await run();
      const transcripts = namesIn(configDir).filter((name) => name.endsWith(".jsonl")).length;
      return { ...sample, result: transcripts, figures: { diskPercent: (diskBytes(dir) / before) * 100 } };
    };
  });
}

function namesIn(dir: string): string[] {
  return fs.readdirSync(dir, { recursive: true, encoding: "utf8" });
}

/** What files and folders take on the disk: whole blocks, and half a block is a block. */
function diskBytes(dir: string): number {
  return namesIn(dir).reduce((sum, name) => sum + fs.statSync(path.join(dir, name)).blocks * 512, 0);
}
