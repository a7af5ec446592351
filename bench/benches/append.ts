import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Side } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";
import { openLargeSession } from "./large-session.ts";

const LINES = 3000;
/** As programs/append-in-turns.mjs has it. */
const LINES_A_TURN = 16;

export const append: Bench = {
  name: "append",
  measures: [
    {
      title: () => `${LINES} lines`,
      against: "await fs.appendFile",
      pairs: { full: 15, quick: 5 },
      figures: [
        { label: "every line awaited", read: ({ callMs }) => callMs, goal: { kind: "speedup", atLeast: 20 } },
      ],
      open: (context) => openAppend(context, { peer: "append-file.mjs", candidate: "append-holdfast.mjs" }),
    },
    {
      title: () => `${LINES} lines`,
      against: "fs.writeSync on an open descriptor, unchecked",
      pairs: { full: 15, quick: 5 },
      figures: [{ label: "every line awaited", read: ({ callMs }) => callMs, goal: { kind: "cost" } }],
      open: (context) =>
        openAppend(context, { peer: "append-write-sync.mjs", candidate: "append-holdfast.mjs" }),
    },
    {
      // So was the goal's prototype measured: none of its lines waited for the one before.
      title: () => `${LINES} lines, ${LINES_A_TURN} in a turn of the event loop`,
      against: "await fs.appendFile",
      pairs: { full: 15, quick: 5 },
      figures: [
        {
          label: "every line acknowledged",
          read: ({ callMs }) => callMs,
          goal: { kind: "speedup", atLeast: 30 },
        },
      ],
      open: (context) =>
        openAppend(context, { peer: "append-file.mjs", candidate: "append-holdfast-turns.mjs" }),
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
    inFreshFolder(context, (folder) => programSide(program, { args: [file, String(LINES), folder] }));
  return { peer: side(programs.peer), candidate: side(programs.candidate) };
}
