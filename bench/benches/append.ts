import fs from "node:fs";
import path from "node:path";
import type { Bench, BenchContext, Contest, Side } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";
import { openLargeSession } from "./large-session.ts";

const LINES = 3000;

export const append: Bench = {
  name: "append",
  measures: [
    {
      title: () => `${LINES} lines`,
      against: "await fs.appendFile",
      pairs: { full: 15, quick: 5 },
      figures: [
        { label: "every line awaited", read: ({ callMs }) => callMs, goal: { kind: "speedup", atLeast: 30 } },
      ],
      open: (context) => openAppend(context, { peer: "append-file.mjs", candidate: "append-holdfast.mjs" }),
    },
    {
      title: () => `${LINES} lines, durable`,
      against: "fdatasync after each",
      pairs: { full: 7, quick: 3 },
      figures: [
        { label: "group commit", read: ({ callMs }) => callMs, goal: { kind: "speedup", atLeast: 20 } },
      ],
      open: (context) =>
        openAppend(context, { peer: "append-fdatasync.mjs", candidate: "append-holdfast-sync.mjs" }),
    },
  ],
  notMeasured: [
    "opening and closing a writer: taking the lease, and syncing the folder of a new file",
    "serialising entries: lines are given as bytes",
    "the latency of one durable line alone, which no grouping can shorten",
    "a spinning or remote disk, where a sync costs more and grouping gains more",
  ],
};

async function openAppend(
  context: BenchContext,
  programs: { peer: string; candidate: string },
): Promise<Contest> {
  const { file } = openLargeSession(context, { layout: "new" });
  const side = (program: string): Side =>
    appendSide(program, { source: file, scratchDir: context.scratchDir });
  return { peer: side(programs.peer), candidate: side(programs.candidate) };
}

// Every run writes into a folder of its own, which is gone before the next run starts.
function appendSide(program: string, { source, scratchDir }: { source: string; scratchDir: string }): Side {
  return async () => {
    const outDir = fs.mkdtempSync(path.join(scratchDir, "append-"));
    try {
      return await programSide(program, { args: [source, String(LINES), outDir] })();
    } finally {
      fs.rmSync(outDir, { recursive: true });
    }
  };
}
