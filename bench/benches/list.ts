import path from "node:path";
import type { Corpus } from "../support/corpus/open-corpus.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Side } from "../support/measure.ts";
import { bareNodeSide, programSide } from "../support/run-program.ts";
import { fetchAgentSdk } from "./agent-sdk.ts";
import { openManySessions } from "./many-sessions.ts";

const NEWEST = 50;
const LEAST = "the least: every file's time, both ends of those listed read, nothing looked at";

export const list: Bench = {
  name: "list",
  measures: [
    {
      title: ({ sessions }) => `all of ${sessions} sessions`,
      against: "Agent SDK listSessions",
      pairs: { full: 9, quick: 3 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "speedup", atLeast: 12 } },
      ],
      open: openAll,
    },
    {
      title: ({ sessions }) => `all of ${sessions} sessions`,
      against: LEAST,
      pairs: { full: 15, quick: 3 },
      figures: [{ label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost" } }],
      open: (context) => openLeast(context, {}),
    },
    {
      title: ({ sessions }) => `all of ${sessions} sessions with message counts, listed before`,
      against: "Agent SDK listSessions",
      pairs: { full: 9, quick: 3 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "speedup", atLeast: 15 } },
      ],
      open: openAllAgain,
    },
    {
      title: ({ sessions }) => `newest ${NEWEST} of ${sessions} sessions`,
      against: "node -e 0",
      pairs: { full: 25, quick: 7 },
      figures: [
        { label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost", atMost: 2.6 } },
      ],
      open: openNewest,
    },
    {
      title: ({ sessions }) => `newest ${NEWEST} of ${sessions} sessions`,
      against: LEAST,
      pairs: { full: 25, quick: 7 },
      figures: [{ label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost" } }],
      open: (context) => openLeast(context, { newest: NEWEST }),
    },
  ],
  notMeasured: [
    "a cold page cache",
    "the first list with counts of messages and sub-agents, which reads every file once",
    "titles: the two sides choose them by different rules",
    "git branches: the SDK gives the first one where the last line is longer than its window, we give the last one",
  ],
};

async function openAll(context: BenchContext): Promise<Contest> {
  const { configDir, truth } = openManySessions(context);
  const { peer, sdkFile } = fetchAgentSdk(context);
  return {
    peer: programSide("sdk-list.mjs", { args: [sdkFile], env: { CLAUDE_CONFIG_DIR: configDir } }),
    candidate: inFreshFolder(context, (home) =>
      programSide("holdfast-list.mjs", { args: [configDir, home] }),
    ),
    peersUsed: [peer],
    verify: (result) => checkOrder(result, newestFirst(truth)),
  };
}

// As a person lists: the second time, what the first time learned is kept.
async function openAllAgain(context: BenchContext): Promise<Contest> {
  const { configDir, truth } = openManySessions(context);
  const { peer, sdkFile } = fetchAgentSdk(context);
  const home = path.join(context.cacheDir, "listed-home");
  return {
    peer: programSide("sdk-list.mjs", { args: [sdkFile], env: { CLAUDE_CONFIG_DIR: configDir } }),
    candidate: programSide("holdfast-list.mjs", { args: [configDir, home, "", "counts"] }),
    peersUsed: [peer],
    verify: (result) => checkOrder(result, newestFirst(truth)),
  };
}

async function openNewest(context: BenchContext): Promise<Contest> {
  return openAlone(context, { peer: () => bareNodeSide(), newest: NEWEST });
}

async function openLeast(context: BenchContext, { newest }: { newest?: number }): Promise<Contest> {
  const peer = (configDir: string): Side =>
    programSide("read-ends.mjs", { args: [configDir, String(newest ?? "")] });
  return openAlone(context, { peer, newest });
}

// Beside a peer that lists nothing.
function openAlone(
  context: BenchContext,
  { peer, newest }: { peer: (configDir: string) => Side; newest: number | undefined },
): Contest {
  const { configDir, truth } = openManySessions(context);
  return {
    peer: peer(configDir),
    candidate: inFreshFolder(context, (home) =>
      programSide("holdfast-list.mjs", { args: [configDir, home, String(newest ?? "")] }),
    ),
    comparable: false,
    verify: (result) => checkOrder(result, newestFirst(truth).slice(0, newest)),
  };
}

function newestFirst({ sessions }: Corpus["truth"]): string[] {
  return [...sessions]
    .sort((left, right) => Date.parse(right.updatedAt) - Date.parse(left.updatedAt))
    .map(({ sessionId }) => sessionId);
}

function checkOrder(result: unknown, expected: readonly string[]): string | undefined {
  const ids = (result as { sessionId: string }[]).map(({ sessionId }) => sessionId);
  const wrong = expected.findIndex((sessionId, index) => ids[index] !== sessionId);
  if (wrong !== -1) return `item ${wrong} should be session ${expected[wrong]}, not ${ids[wrong]}`;
  return ids.length === expected.length ? undefined : `${ids.length} sessions instead of ${expected.length}`;
}
