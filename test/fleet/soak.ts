import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { spawn, type ChildProcess } from "node:child_process";
import { connectFleet, type FleetConnection } from "../../src/fleet/connection.ts";
import { logStream } from "../../src/fleet/names.ts";
import { untilServed } from "../../src/fleet/retry.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { startTestFleet, type TestNode, type TestServers } from "../support/nats-servers.ts";
import { countEnded, dispatchCounting, problemsOf } from "./count-runs.ts";
import { startLogLoad } from "./log-load.ts";

export interface SoakOptions {
  /** The nats-server. */
  file: string;
  seed: number;
  /** How many workers are killed in the middle of a run. */
  workerKills: number;
  /** How often the servers are hurt, in each of the ways. */
  serverRounds: number;
  tell: (line: string) => void;
}

/** The long test: what is wrong in the end, in words; nothing, if all is well. */
export async function soakFleet(options: SoakOptions): Promise<string[]> {
  return [...(await killWorkers(options)), ...(await hurtServers(options))];
}

const leaseMs = 5000;
const numbers = 12;

/** Kills workers -9 at random moments of their runs; others finish them. */
async function killWorkers({ file, seed, workerKills, tell }: SoakOptions): Promise<string[]> {
  const random = seededRandom(seed);
  const dir = tempFolder();
  await using fleet = await startTestFleet({ file, dir, shape: { leaseMs } });
  const { connection, servers } = fleet;
  const effects = path.join(dir, "effects");
  fs.mkdirSync(effects);
  const start = (): ChildProcess =>
    spawn(
      process.execPath,
      [
        "--disable-warning=ExperimentalWarning",
        program,
        servers.nodes[0]!.url,
        String(numbers),
        effects,
        "4",
        "60",
      ],
      { stdio: "ignore" },
    );
  const workers = [start(), start(), start()];
  const problems: string[] = [];
  try {
    for (let kill = 0; kill < workerKills; kill++) {
      const ids = await dispatchCounting(connection, 4);
      await pause(200 + random.next() * 1200);
      const at = Math.floor(random.next() * workers.length);
      const killedAt = performance.now();
      workers[at]!.kill("SIGKILL");
      workers[at] = start();
      while ((await countEnded(connection, ids)) < ids.length) {
        if (performance.now() - killedAt > 120_000)
          return [...problems, `kill ${kill}: not finished in two minutes`];
        await pause(100);
      }
      for (const sessionId of ids)
        problems.push(...(await problemsOf(connection, { sessionId, numbers, dir: effects })));
      if ((kill + 1) % 10 === 0) tell(`${kill + 1} workers killed, ${problems.length} problems`);
    }
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    fs.rmSync(dir, { recursive: true, force: true });
  }
  return problems;
}

/** What is done to the servers, and how long nothing may be acknowledged then. */
const harms: {
  name: string;
  silenceMsMax: number;
  harm: (servers: TestServers, leader: TestNode) => Promise<void>;
}[] = [
  { name: "leader killed", silenceMsMax: 12_000, harm: (_, leader) => killAndStart([leader]) },
  {
    name: "follower killed",
    silenceMsMax: 8000,
    harm: ({ nodes }, leader) => killAndStart([others(nodes, leader)[0]!]),
  },
  {
    name: "two killed",
    silenceMsMax: 60_000,
    harm: ({ nodes }, leader) => killAndStart([leader, others(nodes, leader)[0]!]),
  },
  { name: "all killed", silenceMsMax: 60_000, harm: ({ nodes }) => killAndStart(nodes) },
  { name: "leader suspended for 12 s", silenceMsMax: 15_000, harm: (_, leader) => suspend(leader) },
  { name: "leader drained", silenceMsMax: 5000, harm: (_, leader) => drain(leader) },
];

async function hurtServers({ file, serverRounds, tell }: SoakOptions): Promise<string[]> {
  const dir = tempFolder();
  const problems: string[] = [];
  try {
    await using fleet = await startTestFleet({ file, dir, nodes: 3 });
    const { connection, servers } = fleet;
    await using writing = await connectFleet(servers.address(), { name: "writers" });
    await using watching = await connectFleet(servers.address(), { name: "watchers" });
    for (let round = 0; round < serverRounds; round++) {
      for (const { name, silenceMsMax, harm } of harms) {
        const load = startLogLoad({ writing, watching }, { sessions: 60, watchers: 3, pauseMs: 250 });
        while (load.appended < 300) await pause(50);
        load.resetTimes();
        await harm(servers, await leaderOf(connection, servers.nodes));
        await pause(5000);
        const result = await load.finish();
        const silence = `${(result.longestSilenceMs / 1000).toFixed(1)} s without an acknowledgement`;
        tell(`${name}: ${silence}, ${result.appended} events, ${result.problems.length} problems`);
        problems.push(...result.problems.map((problem) => `${name}: ${problem}`));
        if (result.longestSilenceMs > silenceMsMax)
          problems.push(`${name}: ${silence}, more than ${silenceMsMax / 1000} s`);
      }
    }
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
  return problems;
}

async function killAndStart(nodes: readonly TestNode[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.end("SIGKILL")));
  await pause(3000);
  for (const node of nodes) await node.start();
  for (const node of nodes) await node.waitUntilWell();
}

async function suspend(node: TestNode): Promise<void> {
  node.signal("SIGSTOP");
  await pause(12_000);
  node.signal("SIGCONT");
  await node.waitUntilWell();
}

async function drain(node: TestNode): Promise<void> {
  await node.end("SIGTERM");
  await node.start();
  await node.waitUntilWell();
}

function others(nodes: readonly TestNode[], node: TestNode): TestNode[] {
  return nodes.filter((each) => each !== node);
}

async function leaderOf({ jsm }: FleetConnection, nodes: readonly TestNode[]): Promise<TestNode> {
  for (;;) {
    const { cluster } = await untilServed(() => jsm.streams.info(logStream(0)));
    const leader = nodes.find(({ name }) => name === cluster?.leader);
    if (leader) return leader;
    await pause(100);
  }
}

const program = path.join(import.meta.dirname, "../programs/counting-worker.ts");

function tempFolder(): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-soak-")));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
