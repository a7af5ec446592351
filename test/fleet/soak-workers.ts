import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FleetConnection } from "../../src/fleet/transport/connection.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { startTestFleet } from "../support/nats-servers.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { countEnded } from "./count-runs.ts";
import {
  dispatchScripted,
  examineScripted,
  hasBegun,
  startScriptedWorker,
  writeCountingScript,
  type CountingScript,
  type ScriptedOutcome,
  type ScriptedWorker,
} from "./scripted-runs.ts";
import type { SoakOptions } from "./soak.ts";

const leaseMs = 5000;
const RUNS = 4;
const takeOverMsMax: number = leaseMs + 5000;

/**
 * Kills workers -9 at random moments of their runs, then cuts some off and suspends some; others finish what they had. The
 * agents are scripted ones, on workers as users start them.
 */
export async function soakWorkers({ file, seed, workerKills, tell }: SoakOptions): Promise<string[]> {
  const random = seededRandom(seed);
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-soak-")));
  await using fleet = await startTestFleet({ file, dir, shape: { leaseMs } });
  const { connection, servers } = fleet;
  const { url } = servers.nodes[0]!;
  const script = writeCountingScript(dir, { numbers: 12, eachMs: 60 });
  const start = (address = url): ScriptedWorker =>
    startScriptedWorker({ url: address, home: path.join(dir, "home"), slots: RUNS });
  const problems: string[] = [];
  const takeOversMs: number[] = [];
  const workers = [start(), start(), start()];
  try {
    for (let kill = 1; kill <= workerKills; kill++) {
      const ids = await dispatchScripted(connection, script, RUNS);
      await pause(200 + random.next() * 1200);
      const at = Math.floor(random.next() * workers.length);
      const killed = { worker: workers[at]!.id(), at: Date.now() };
      await workers[at]!.end();
      workers[at] = start();
      const outcomes = await finish(connection, { script, ids });
      problems.push(...outcomes.flatMap((outcome) => outcome.problems));
      takeOversMs.push(...outcomes.flatMap(({ claims }) => takeOverMs(claims, killed)));
      if (kill % 10 === 0)
        tell(
          `${kill} workers killed, ${takeOversMs.length} runs taken over within ${seconds(Math.max(0, ...takeOversMs))}, ${problems.length} problems`,
        );
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
  const late = takeOversMs.filter((ms) => ms > takeOverMsMax);
  problems.push(...late.map((ms) => `a run was taken over after ${seconds(ms)}`));
  try {
    for (const harm of ["cut off", "suspended"] as const) {
      for (let round = 0; round < ZOMBIES; round++)
        problems.push(...(await makeZombie(harm, { connection, script, url, start })));
      tell(`${ZOMBIES} workers ${harm}, ${problems.length} problems`);
    }
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
  return problems;
}

const ZOMBIES = 3;

/** A worker that has all the runs is away for longer than its lease, and comes back when others have finished them. */
async function makeZombie(
  harm: "cut off" | "suspended",
  {
    connection,
    script,
    url,
    start,
  }: {
    connection: FleetConnection;
    script: CountingScript;
    url: string;
    start: (address?: string) => ScriptedWorker;
  },
): Promise<string[]> {
  const proxy = await startTcpProxy(url);
  const zombie = start(proxy.url);
  let other: ScriptedWorker | undefined;
  try {
    const ids = await dispatchScripted(connection, script, RUNS);
    if (!(await until(() => ids.every((id) => hasBegun(script, id))))) return [`${harm}: nothing began`];
    if (harm === "cut off") proxy.cut();
    else zombie.child.kill("SIGSTOP");
    other = start();
    const before = await finish(connection, { script, ids });
    proxy.mend();
    zombie.child.kill("SIGCONT");
    const isFenced = await until(() => zombie.told("fenced") === ids.length);
    // Once more, now that it is back.
    const after = await finish(connection, { script, ids });
    const problems = [...before, ...after].flatMap((outcome) => outcome.problems);
    return [...problems, ...(isFenced ? [] : [`${harm}: it did not notice`])];
  } finally {
    await Promise.all([zombie.end(), other?.end()]);
    await proxy.close();
  }
}

async function finish(
  connection: FleetConnection,
  { script, ids }: { script: CountingScript; ids: readonly string[] },
): Promise<ScriptedOutcome[]> {
  if (!(await until(async () => (await countEnded(connection, ids)) === ids.length)))
    return [{ problems: ["runs were not finished in two minutes"], claims: [] }];
  return Promise.all(ids.map((id) => examineScripted(connection, script, id)));
}

// From the kill until another worker had it, for a run that the killed one had. (A machine that is busy enough takes runs
// from workers that live, too: they are fenced, and nothing is lost by it.)
function takeOverMs(
  claims: ScriptedOutcome["claims"],
  killed: { worker: string | undefined; at: number },
): number[] {
  const had = claims.findLastIndex(({ worker }) => worker === killed.worker);
  const next = had < 0 ? undefined : claims[had + 1];
  return next ? [next.at - killed.at] : [];
}

async function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  const giveUpAt = performance.now() + 120_000;
  while (!(await condition())) {
    if (performance.now() > giveUpAt) return false;
    await pause(100);
  }
  return true;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
