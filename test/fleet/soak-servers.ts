import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectFleet, type FleetConnection } from "../../src/fleet/transport/connection.ts";
import { logStream } from "../../src/fleet/transport/names.ts";
import { untilServed } from "../../src/fleet/transport/retry.ts";
import { startTestFleet, type TestNode, type TestServers } from "../support/nats-servers.ts";
import { startLogLoad } from "./log-load.ts";
import type { SoakOptions } from "./soak.ts";

/** What is done to the servers, and how long nothing may be acknowledged then. */
const harms: {
  name: string;
  silenceMsMax: number;
  harm: (servers: TestServers, leader: TestNode) => Promise<void>;
}[] = [
  { name: "leader killed", silenceMsMax: 12_000, harm: (_, leader) => killAndStart([leader]) },
  { name: "each killed in turn", silenceMsMax: 12_000, harm: ({ nodes }) => killInTurn(nodes) },
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

/** Kills, suspends and drains the nodes of a cluster while logs are written and followed. */
export async function soakServers({ file, serverRounds, tell }: SoakOptions): Promise<string[]> {
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

async function killInTurn(nodes: readonly TestNode[]): Promise<void> {
  for (const node of nodes) await killAndStart([node]);
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

function tempFolder(): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-soak-")));
}
