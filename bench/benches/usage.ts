import fs from "node:fs";
import path from "node:path";
import { inFreshFolder } from "../support/fresh-folder.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { Bench, BenchContext, Contest, Figure, Side } from "../support/measure.ts";
import { fetchPeer } from "../support/peers.ts";
import { commandSide, programPath } from "../support/run-program.ts";
import { openManySessions } from "./many-sessions.ts";

const wall = (atLeast: number): Figure => ({
  label: "whole process",
  read: ({ wallMs }) => wallMs,
  goal: { kind: "speedup", atLeast },
});

export const usage: Bench = {
  name: "usage",
  measures: [
    {
      title: ({ sessions }) => `tokens and cost of ${sessions} sessions, nothing kept`,
      against: "ccusage 20",
      pairs: { full: 7, quick: 3 },
      figures: [
        wall(1.2),
        { label: "CPU", read: ({ cpuMs }) => cpuMs, goal: { kind: "speedup", atLeast: 1.2 } },
      ],
      open: async (context) => openUsage(context, { isKept: false }),
    },
    {
      title: ({ sessions }) => `tokens and cost of ${sessions} sessions, nothing kept`,
      against: "Node reading the files on all cores, looking at nothing",
      pairs: { full: 7, quick: 3 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost" } },
        { label: "CPU", read: ({ cpuMs }) => cpuMs, goal: { kind: "cost" } },
      ],
      open: openReadAll,
    },
    {
      title: ({ sessions }) => `tokens and cost of ${sessions} sessions, counted before`,
      against: "ccusage 20",
      pairs: { full: 9, quick: 3 },
      figures: [wall(18)],
      open: async (context) => openUsage(context, { isKept: true }),
    },
  ],
  notMeasured: [
    "dollars: the two sides have different lists of prices",
    "days: ccusage reckons in local time, we in UTC",
    "a report after one session grew: the bench growth has it, with 20,000 transcripts",
    "a cold page cache",
  ],
};

interface Tokens {
  inputTokens: number;
  outputTokens: number;
  cacheCreationTokens: number;
  cacheReadTokens: number;
}

function openUsage(context: BenchContext, { isKept }: { isKept: boolean }): Contest {
  const { configDir, truth } = openManySessions(context);
  // The binary itself: the npm package only starts it.
  const peer = fetchPeer({
    name: "@ccusage/ccusage-linux-x64",
    version: "20.0.24",
    cacheDir: context.cacheDir,
  });
  const program = path.join(peer.dir, "bin", "ccusage");
  fs.chmodSync(program, 0o755);
  const count = countSide(context, configDir);
  return {
    peer: commandSide([program, "claude", "daily", "--offline", "--json"], {
      env: { CLAUDE_CONFIG_DIR: configDir, HOME: context.scratchDir },
      resultOf: totalsOf,
    }),
    candidate: isKept ? count(path.join(context.scratchDir, "counted-home")) : inFreshFolder(context, count),
    peersUsed: [peer],
    verify(result) {
      const { input, output, cacheCreation, cacheRead } = truth.tokens;
      const found = Object.values(result as Tokens).join(" ");
      const expected = [input, output, cacheCreation, cacheRead].join(" ");
      return found === expected ? undefined : `tokens ${found} instead of ${expected}`;
    },
  };
}

async function openReadAll(context: BenchContext): Promise<Contest> {
  const { configDir } = openManySessions(context);
  return {
    peer: commandSide([process.execPath, programPath("read-all.mjs")], {
      env: { CLAUDE_CONFIG_DIR: configDir },
    }),
    candidate: inFreshFolder(context, countSide(context, configDir)),
    comparable: false,
  };
}

/** Our side, with what is kept in a home. */
function countSide(context: BenchContext, configDir: string): (home: string) => Side {
  const command = [...installedCommand(context), "usage", "--all", "--json"];
  return (home) =>
    commandSide(command, {
      env: { CLAUDE_CONFIG_DIR: configDir, HOLDFAST_HOME: home },
      resultOf: totalsOf,
    });
}

function totalsOf(stdout: string): Tokens {
  const { totals } = JSON.parse(stdout) as { totals: Tokens };
  const { inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens } = totals;
  return { inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens };
}
