import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { natsServerForTests, startTestFleet, type TestServers } from "../../test/support/nats-servers.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { Bench, BenchContext, Contest, Figure, Side, Unavailable } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";

const SESSIONS = 100;
const WATCHERS = 3;
const EVENTS = { full: 100, quick: 10 };
const PAUSE_MS = 100;
const RUNS = { full: 1000, quick: 100 };
const MANY = { full: 10_000, quick: 500 };
const SLOTS = 20;
// At full scale longer than a lease.
const HELD_MS = { full: 40_000, quick: 1000 };

const figure =
  (name: string): Figure["read"] =>
  (sample) =>
    sample.figures?.[name];

export const fleet: Bench = {
  name: "fleet",
  measures: [
    {
      title: () => `${SESSIONS} sessions × ${WATCHERS} watchers on three nodes, every write synced`,
      against: "the bare client: no fencing, no gaps filled",
      pairs: { full: 5, quick: 1 },
      figures: [
        { label: "append, p50", read: figure("appendP50"), goal: { kind: "cost", atMost: 1.3 } },
        { label: "append, p50", read: figure("appendP50"), goal: { kind: "limit", atMost: 6.5, unit: "ms" } },
        { label: "append, p99", read: figure("appendP99"), goal: { kind: "limit", atMost: 40, unit: "ms" } },
        { label: "tail, p50", read: figure("tailP50"), goal: { kind: "limit", atMost: 6.5, unit: "ms" } },
        { label: "tail, p99", read: figure("tailP99"), goal: { kind: "limit", atMost: 40, unit: "ms" } },
      ],
      open: (context) => openLogs(context),
    },
    {
      title: ({ name }) => `${RUNS[name]} scripted agents on ${SLOTS} slots of a worker, one node`,
      pairs: { full: 3, quick: 1 },
      figures: [
        { label: "dispatch to end", read: ({ callMs }) => callMs, goal: { kind: "limit", unit: "ms" } },
      ],
      open: (context) => openRuns(context, { sessions: RUNS[context.scale.name], messages: 10 }),
    },
    {
      title: ({ name }) => `${MANY[name]} scripted agents, one after the other on ${SLOTS} slots, one node`,
      pairs: { full: 1, quick: 1 },
      figures: [
        {
          label: "memory of the server",
          read: figure("serverMb"),
          goal: { kind: "limit", atMost: 440, unit: "MB" },
        },
        {
          label: "memory of the worker",
          read: figure("workerMb"),
          goal: { kind: "limit", atMost: 350, unit: "MB" },
        },
      ],
      open: (context) => openRuns(context, { sessions: MANY[context.scale.name], messages: 1 }),
    },
    {
      title: ({ name }) => `${MANY[name]} runs leased at the same time, one node`,
      pairs: { full: 1, quick: 1 },
      figures: [
        {
          label: "memory of the server",
          read: figure("serverMb"),
          goal: { kind: "limit", atMost: 440, unit: "MB" },
        },
      ],
      open: (context) => openLeases(context),
    },
  ],
  notMeasured: [
    "models and tools: these agents know at once what to say",
    "workspaces: these runs have an empty folder, for which git has nothing to do",
    "the network: servers and clients share this machine and its disk",
    "taking over: see npm run test:fleet, which kills workers and servers under load",
  ],
};

async function openLogs(context: BenchContext): Promise<Contest | Unavailable> {
  const servers = await startServers(context, 3);
  if ("unavailable" in servers) return servers;
  const side = (how: string): Side =>
    programSide("fleet-log.mjs", {
      args: [urls(servers), how, ...[SESSIONS, WATCHERS, EVENTS[context.scale.name], PAUSE_MS].map(String)],
    });
  return { peer: side("plain"), candidate: side("holdfast"), close: () => void servers.stop() };
}

async function openRuns(
  context: BenchContext,
  { sessions, messages }: { sessions: number; messages: number },
): Promise<Contest | Unavailable> {
  return onServerOfItsOwn(context, (url, pid) => {
    const numbers = [sessions, SLOTS, messages, pid].map(String);
    const folder = fs.mkdtempSync(path.join(context.scratchDir, "fleet-runs-"));
    return programSide("fleet-runs.mjs", { args: [url, ...numbers, folder, ...installedCommand(context)] });
  });
}

async function openLeases(context: BenchContext): Promise<Contest | Unavailable> {
  const { name } = context.scale;
  const sessions = MANY[name];
  const contest = await onServerOfItsOwn(context, (url, pid) =>
    programSide("fleet-leases.mjs", { args: [url, ...[sessions, HELD_MS[name], pid].map(String)] }),
  );
  if ("unavailable" in contest) return contest;
  const expected = { leased: sessions, lost: 0 };
  return {
    ...contest,
    verify: (result) => (isDeepStrictEqual(result, expected) ? undefined : JSON.stringify(result)),
  };
}

// A new one for each run: what an earlier one stored would count.
async function onServerOfItsOwn(
  context: BenchContext,
  sideOn: (url: string, pid: number) => Side,
): Promise<Contest | Unavailable> {
  if ((await natsServerForTests()) === undefined) return noServer;
  return {
    candidate: async () => {
      const servers = await startServers(context, 1);
      if ("unavailable" in servers) throw new Error(servers.unavailable);
      try {
        return await sideOn(urls(servers), servers.nodes[0]!.pid)();
      } finally {
        await servers.stop();
      }
    },
  };
}

const noServer: Unavailable = { unavailable: "a nats-server of 2.14 or newer" };
let started = 0;

async function startServers({ scratchDir }: BenchContext, nodes: 1 | 3): Promise<TestServers | Unavailable> {
  const file = await natsServerForTests();
  if (file === undefined) return noServer;
  const dir = path.join(scratchDir, `fleet-${++started}`);
  fs.mkdirSync(dir, { recursive: true });
  const { servers, connection } = await startTestFleet({ file, dir, nodes });
  await connection.close();
  return servers;
}

function urls({ nodes }: TestServers): string {
  return nodes.map(({ url }) => url).join(",");
}
