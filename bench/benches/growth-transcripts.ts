import fs from "node:fs";
import path from "node:path";
import { inFreshFolder } from "../support/fresh-folder.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { BenchContext, Measure, Side } from "../support/measure.ts";
import { commandSide, peakSide } from "../support/run-program.ts";
import { openGrowingSessions, type NewLine } from "./growing-sessions.ts";
import { describe, growingMeasures, type Growing, type Sizes } from "./growth-sides.ts";
import { openManySessions } from "./many-sessions.ts";
import { openSmallSessions } from "./small-sessions.ts";

const TRANSCRIPTS: Growing["sizes"] = {
  full: { few: 1000, many: 20_000 },
  quick: { few: 100, many: 1000 },
};
const PAIRS = { full: 7, quick: 3 };
const LISTED = 50;

export const transcriptMeasures: readonly Measure[] = [
  ...(["few", "many"] as const).flatMap((size) => [
    firstMeasure("usage --all", size),
    firstMeasure("sessions --all", size),
    indexMemory(size),
  ]),
  ...newLineMeasures("usage", {
    atMost: 6,
    args: () => ["usage", "--all", "--json"],
    isRight: (printed, { messages }) =>
      (JSON.parse(printed) as { totals: { messages: number } }).totals.messages === messages,
  }),
  ...newLineMeasures("search for its word", {
    atMost: 6,
    args: ({ word }) => ["search", "--all", word],
    isRight: (printed, { word }) => printed.includes(word),
  }),
  ...newLineMeasures(`sessions --all -n ${LISTED}`, {
    atMost: 6,
    args: () => ["sessions", "--all", "-n", String(LISTED)],
    isRight: (printed, { sessionId }) => linesOf(printed)[1]!.includes(sessionId.slice(0, 8)),
  }),
  // A pipe gets all of them (docs/adr/0013).
  ...newLineMeasures("sessions --all", {
    atMost: 20,
    args: () => ["sessions", "--all"],
    isRight: (printed, { sessionId, sessions }) =>
      linesOf(printed)[1]!.includes(sessionId.slice(0, 8)) && linesOf(printed).length === sessions + 1,
  }),
  {
    // "session" stands in a key of every line, and in the text of few.
    title: ({ sessions }) => `search session in ${sessions} sessions, no index`,
    against: "a word that stands nowhere",
    pairs: { full: 5, quick: 1 },
    figures: [
      { label: "CPU", read: ({ cpuMs }) => cpuMs, goal: { kind: "cost" } },
      { label: "CPU", read: ({ cpuMs }) => cpuMs, goal: { kind: "limit", unit: "ms" } },
    ],
    open: async (context) => ({
      peer: scanSide(context, "zyxquokka"),
      candidate: scanSide(context, "session"),
      comparable: false,
      verify: (printed) => (String(printed).includes("session") ? undefined : "nothing was found"),
    }),
  },
];

function linesOf(printed: string): string[] {
  return printed.trimEnd().split("\n");
}

function scanSide(context: BenchContext, word: string): Side {
  const { configDir } = openManySessions(context);
  return inFreshFolder(context, (home) =>
    commandSide([...installedCommand(context), "search", "--all", word], {
      env: { CLAUDE_CONFIG_DIR: configDir, HOLDFAST_HOME: home },
      resultOf: (stdout) => stdout,
    }),
  );
}

/** A command that finds nothing kept. */
function firstMeasure(command: string, size: keyof Sizes): Measure {
  return {
    title: ({ name }) =>
      `the first ${command}, nothing kept, ${describe(TRANSCRIPTS[name][size], "transcripts")}`,
    pairs: { full: 3, quick: 1 },
    figures: [{ label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "limit", unit: "ms" } }],
    open: async (context) => {
      const { configDir } = openSmallSessions(context, TRANSCRIPTS[context.scale.name][size]);
      return {
        candidate: inFreshFolder(context, (home) =>
          commandSide([...installedCommand(context), ...command.split(" ")], {
            env: { CLAUDE_CONFIG_DIR: configDir, HOLDFAST_HOME: home },
          }),
        ),
      };
    },
  };
}

function indexMemory(size: keyof Sizes): Measure {
  return {
    title: ({ name }) => `index, nothing kept, ${describe(TRANSCRIPTS[name][size], "transcripts")}`,
    pairs: { full: 2, quick: 1 },
    figures: [
      {
        label: "peak memory",
        read: ({ rssBytes }) => (rssBytes ?? Number.NaN) / 1e6,
        goal: { kind: "limit", atMost: 150, unit: "MB" },
      },
    ],
    open: async (context) => {
      const { configDir } = openSmallSessions(context, TRANSCRIPTS[context.scale.name][size]);
      const command = [...installedCommand(context), "index"];
      return {
        candidate: inFreshFolder(context, (dir) =>
          peakSide(command, { dir, env: { CLAUDE_CONFIG_DIR: configDir, HOLDFAST_HOME: `${dir}/home` } }),
        ),
      };
    },
  };
}

function newLineMeasures(
  what: string,
  {
    atMost,
    args,
    isRight,
  }: {
    atMost: number;
    args: (line: NewLine) => readonly string[];
    isRight: (printed: string, line: NewLine) => boolean;
  },
): Measure[] {
  return growingMeasures({
    what: `one new line, ${what}`,
    noun: "transcripts",
    sizes: TRANSCRIPTS,
    pairs: PAIRS,
    atMost: { many: atMost },
    open: (context, count) => {
      const growing = openGrowingSessions(context, count);
      const file = path.join(context.scratchDir, "printed");
      return {
        candidate: async () => {
          const line = growing.append();
          const command = [...installedCommand(context), ...args(line)];
          const run = commandSide(["sh", "-c", 'exec "$@" > "$0"', file, ...command], { env: growing.env });
          const sample = await run();
          return { ...sample, result: isRight(fs.readFileSync(file, "utf8"), line) };
        },
        verify: (result) => (result === true ? undefined : "the answer does not hold the new line"),
      };
    },
  });
}
