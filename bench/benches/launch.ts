import { spawnSync } from "node:child_process";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Figure, Side, Unavailable } from "../support/measure.ts";
import type { Peer } from "../support/peers.ts";
import { programSide } from "../support/run-program.ts";

const LAUNCHES = { full: 60, quick: 10 };
const SMALL_MB = 50;
const LARGE_MB = 1000;

const readBlocked: Figure["read"] = ({ figures }) => figures?.["blockedMs"];
const BLOCKED: readonly Figure[] = [
  { label: "event loop blocked, p50", read: readBlocked, goal: { kind: "cost", atMost: 0.2 } },
  { label: "event loop blocked, p50", read: readBlocked, goal: { kind: "limit", atMost: 0.2, unit: "ms" } },
  {
    label: "event loop busy until acknowledged, p50",
    read: ({ figures }) => figures?.["busyMs"],
    goal: { kind: "limit", unit: "ms" },
  },
];

export const launch: Bench = {
  name: "launch",
  measures: [
    {
      title: () => `a launch out of ${SMALL_MB} MB`,
      against: `bare spawn out of ${SMALL_MB} MB`,
      pairs: { full: 9, quick: 3 },
      figures: BLOCKED,
      open: async (context) => openBlocked(context, { megabytes: SMALL_MB }),
    },
    {
      title: () => `a launch out of ${LARGE_MB / 1000} GB`,
      against: `bare spawn out of ${SMALL_MB} MB`,
      pairs: { full: 9, quick: 3 },
      figures: BLOCKED,
      open: async (context) => openBlocked(context, { megabytes: LARGE_MB }),
    },
    {
      title: () => "an acknowledged launch",
      against: "task-spooler",
      pairs: { full: 9, quick: 3 },
      figures: [
        {
          label: "record synced, p50",
          read: ({ figures }) => figures?.["launchMs"],
          goal: { kind: "cost", atMost: 2 },
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

function openBlocked(context: BenchContext, { megabytes }: { megabytes: number }): Contest {
  return {
    peer: launchSide(context, "spawn-launch.mjs", [String(SMALL_MB)]),
    candidate: launchSide(context, "holdfast-launch.mjs", [String(megabytes)]),
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
