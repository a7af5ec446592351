import type { TranscriptTruth } from "../support/corpus/truth.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Figure } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";
import { fetchAgentSdk } from "./agent-sdk.ts";
import { openLargeSession, sizeOf } from "./large-session.ts";

const LAST = 200;

const PEAK_MEMORY: Figure = {
  label: "peak memory",
  read: ({ rssBytes }) => rssBytes && rssBytes / 2 ** 20,
  goal: { kind: "limit", atMost: 80, unit: "MB" },
};
const wholeProcess = (goal: { atLeast?: number }): Figure => ({
  label: "whole process",
  read: ({ wallMs }) => wallMs,
  goal: { kind: "speedup", ...goal },
});

export const resume: Bench = {
  name: "resume",
  measures: [
    {
      title: (scale) => `last ${LAST} entries of a ${sizeOf(scale)} session`,
      against: "cheapest full parse",
      pairs: { full: 9, quick: 3 },
      figures: [
        { label: "in process", read: ({ callMs }) => callMs, goal: { kind: "speedup", atLeast: 250 } },
      ],
      open: openLast,
    },
    {
      title: (scale) => `live context of a ${sizeOf(scale)} session (client 2.0)`,
      against: "Agent SDK getSessionMessages",
      pairs: { full: 7, quick: 3 },
      figures: [wholeProcess({ atLeast: 70 }), PEAK_MEMORY],
      open: (context) => openContext(context, { layout: "old" }),
    },
    {
      // The SDK recognises the boundaries of late clients without parsing and drops what stands before the last
      // one, so here it reads the file but parses little of it. No goal was set for this.
      title: (scale) => `live context of a ${sizeOf(scale)} session (client 2.1)`,
      against: "Agent SDK getSessionMessages",
      pairs: { full: 9, quick: 3 },
      figures: [wholeProcess({}), PEAK_MEMORY],
      open: (context) => openContext(context, { layout: "new" }),
    },
  ],
  notMeasured: [
    "a cold page cache: the file is in memory on both sides, so the disk's share is missing from both",
    "a session without any compaction, whose live context is the whole file",
    "the whole conversation across compactions, which anyone has to read whole",
    "the order of a tool's result among the blocks of the message that called it; both sides are brought into one order before they are compared",
  ],
};

async function openLast(context: BenchContext): Promise<Contest> {
  const { file, truth } = openLargeSession(context, { layout: "new" });
  const args = [file, String(LAST)];
  return {
    peer: programSide("full-parse-last.mjs", { args }),
    candidate: inFreshFolder(context, (home) => programSide("holdfast-last.mjs", { args: [...args, home] })),
    verify: (result) =>
      (result as string[]).length === LAST ? checkLeaf(result, truth) : "wrong number of entries",
  };
}

async function openContext(context: BenchContext, { layout }: { layout: "old" | "new" }): Promise<Contest> {
  const { truth, configDir } = openLargeSession(context, { layout });
  const { peer, sdkFile } = fetchAgentSdk(context);
  return {
    peer: programSide("sdk-context.mjs", {
      args: [sdkFile, truth.sessionId],
      env: { CLAUDE_CONFIG_DIR: configDir },
    }),
    candidate: inFreshFolder(context, (home) =>
      programSide("holdfast-context.mjs", { args: [configDir, truth.sessionId, home] }),
    ),
    peersUsed: [peer],
    verify: (result) => checkLeaf(result, truth),
  };
}

function checkLeaf(result: unknown, { leafUuid }: TranscriptTruth): string | undefined {
  // Behind the last message may stand the turn's closing system line.
  const isThere = (result as string[]).slice(-2).includes(leafUuid);
  return isThere ? undefined : `the leaf ${leafUuid} is not at the end`;
}
