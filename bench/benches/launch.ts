import { spawnSync } from "node:child_process";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Figure, Measure, Side, Unavailable } from "../support/measure.ts";
import type { Peer } from "../support/peers.ts";
import { programSide } from "../support/run-program.ts";

const LAUNCHES = { full: 60, quick: 10 };
const SMALL_MB = 50;

const busy = (atMost: number): Figure => ({
  label: "event loop busy until acknowledged, p50",
  read: ({ figures }) => figures?.["busyMs"],
  goal: { kind: "limit", atMost, unit: "ms" },
});

export const launch: Bench = {
  name: "launch",
  measures: [
    launchOutOf(SMALL_MB, 5),
    launchOutOf(300, 2.5),
    launchOutOf(1000, 2.5),
    {
      title: () => "an acknowledged launch",
      against: "task-spooler",
      pairs: { full: 9, quick: 3 },
      figures: [
        {
          label: "record synced, p50",
          read: ({ figures }) => figures?.["launchMs"],
          goal: { kind: "cost", atMost: 2.5 },
        },
        {
          label: "record synced, p50",
          read: ({ figures }) => figures?.["launchMs"],
          goal: { kind: "limit", atMost: 7, unit: "ms" },
        },
      ],
      open: openAcknowledged,
    },
  ],
  notMeasured: [
    "the first launches of a process: they load code, and out of a large process the first one starts the small process that launches from then on",
    "launches at the same time",
    "a folder beside which many files were deleted within minutes: making a file may take several times as long there",
    "task-spooler syncs nothing: a power failure loses what it acknowledged, ours not",
    "the whole of `holdfast run`, which is a start of Node",
  ],
};

/** Above 128 MB a small process launches, so the loop is busy for as long as a line to a pipe takes (docs/adr/0014). */
function launchOutOf(megabytes: number, atMost: number): Measure {
  return {
    title: () => `a launch out of ${megabytes} MB`,
    against: `bare spawn out of ${megabytes} MB`,
    pairs: { full: 9, quick: 3 },
    figures: [
      {
        label: "event loop blocked, p50",
        read: ({ figures }) => figures?.["blockedMs"],
        goal: { kind: "cost" },
      },
      busy(atMost),
    ],
    open: async (context) => ({
      peer: launchSide(context, "spawn-launch.mjs", [String(megabytes)]),
      candidate: launchSide(context, "holdfast-launch.mjs", [String(megabytes)]),
    }),
  };
}

async function openAcknowledged(context: BenchContext): Promise<Contest | Unavailable> {
  const peer = findTaskSpooler();
  if (!peer) return { unavailable: "there is no tsp; install task-spooler" };
  return {
    peer: launchSide(context, "task-spooler-launch.mjs"),
    candidate: launchSide(context, "holdfast-launch.mjs"),
    peersUsed: [peer],
  };
}

function launchSide(context: BenchContext, program: string, args: readonly string[] = []): Side {
  return inFreshFolder(
    context,
    (folder) => programSide(program, { args: [folder, String(LAUNCHES[context.scale.name]), ...args] }),
    { isKept: true },
  );
}

// No package of npm's: it is there or it is not.
function findTaskSpooler(): Peer | undefined {
  const { stdout } = spawnSync("tsp", ["-V"], { encoding: "utf8" });
  const version = /v(\d[\w.]*)/.exec(stdout ?? "")?.[1];
  return version === undefined ? undefined : { name: "task-spooler", version, dir: "" };
}
