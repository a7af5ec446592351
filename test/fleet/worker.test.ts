import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { FleetConnection } from "../../src/fleet/transport/connection.ts";
import { findSessionState } from "../../src/fleet/transport/session-states.ts";
import { startProgram, tempDir, waitFor, type Program } from "../support/index.ts";
import { natsServerForTests, startTestFleet } from "../support/nats-servers.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { countEnded, dispatchCounting, problemsOf } from "./count-runs.ts";

const file = await natsServerForTests();
const LONG = { timeoutMs: 60_000 };
const numbers = 20;
const leaseMs = 2000;

describe.skipIf(file === undefined)("runWorker()", () => {
  test("a run whose worker is killed goes on elsewhere, once", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), shape: { leaseMs } });
    const { connection, servers } = fleet;
    const dir = tempDir();
    const first = startWorker(servers.nodes[0]!.url, { dir });
    const ids = await dispatchCounting(connection, 4);
    await waitFor(() => ids.every((id) => hasBegun(dir, id)), LONG);
    first.kill("SIGKILL");
    const killedAt = performance.now();
    await using _ = ending(startWorker(servers.nodes[0]!.url, { dir }));
    await waitFor(async () => (await handOvers(connection, ids)).every((count) => count === 1), LONG);
    expect(performance.now() - killedAt).toBeLessThan(leaseMs + 5000);
    expect(await problemsIn(connection, ids, dir)).toEqual([]);
  });

  test("a worker that was suspended past its lease is fenced: it writes nothing more, and its runs are others'", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), shape: { leaseMs } });
    const { connection, servers } = fleet;
    const dir = tempDir();
    const zombie = startWorker(servers.nodes[0]!.url, { dir });
    await using _zombie = ending(zombie);
    const ids = await dispatchCounting(connection, 4);
    await waitFor(() => ids.every((id) => hasBegun(dir, id)), LONG);
    zombie.kill("SIGSTOP");
    await using _ = ending(startWorker(servers.nodes[0]!.url, { dir }));
    await waitFor(async () => (await handOvers(connection, ids)).every((count) => count === 1), LONG);
    zombie.kill("SIGCONT");
    await waitFor(() => told(zombie, "fenced").length === ids.length, LONG);
    expect(await problemsIn(connection, ids, dir)).toEqual([]);
  });

  test("a worker that is cut off is fenced, and its runs are continued once", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), shape: { leaseMs } });
    const { connection, servers } = fleet;
    const dir = tempDir();
    const proxy = await startTcpProxy(servers.nodes[0]!.url);
    const cutOff = startWorker(proxy.url, { dir });
    try {
      await using _cutOff = ending(cutOff);
      const ids = await dispatchCounting(connection, 4);
      await waitFor(() => ids.every((id) => hasBegun(dir, id)), LONG);
      proxy.cut();
      await using _ = ending(startWorker(servers.nodes[0]!.url, { dir }));
      await waitFor(async () => (await handOvers(connection, ids)).every((count) => count === 1), LONG);
      proxy.mend();
      await waitFor(() => told(cutOff, "fenced").length === ids.length, LONG);
      expect(await problemsIn(connection, ids, dir)).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  test("a worker that is asked to end gives its runs back at once", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), shape: { leaseMs: 30_000 } });
    const { connection, servers } = fleet;
    const dir = tempDir();
    const first = startWorker(servers.nodes[0]!.url, { dir });
    const ids = await dispatchCounting(connection, 4);
    await waitFor(() => ids.every((id) => hasBegun(dir, id)), LONG);
    await using _ = ending(startWorker(servers.nodes[0]!.url, { dir }));
    first.kill("SIGTERM");
    expect(await first.ended()).toEqual({ code: 0, signal: null });
    const endedAt = performance.now();
    expect(told(first, "given-back")).toHaveLength(ids.length);
    expect(await problemsIn(connection, ids, dir)).toEqual([]);
    expect(performance.now() - endedAt).toBeLessThan(20_000);
  });

  test("a run that ends its workers before it records anything is failed", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir(), shape: { leaseMs: 1000 } });
    const { connection, servers } = fleet;
    const dir = tempDir();
    const [id] = await dispatchCounting(connection, 1);
    const start = (): Program => startWorker(servers.nodes[0]!.url, { dir, numbers: "die" });
    let workers = 0;
    while ((await findSessionState(connection, id!))?.state.status !== "failed" && workers++ < 10) {
      const worker = start();
      await waitFor(
        async () =>
          worker.child.exitCode !== null ||
          (await findSessionState(connection, id!))?.state.status === "failed",
        LONG,
      );
      worker.kill("SIGKILL");
      await worker.ended();
    }
    expect((await findSessionState(connection, id!))?.state).toMatchObject({
      status: "failed",
      reason: "it ended 5 workers in a row before it had done anything",
    });
  });
});

function startWorker(
  url: string,
  { dir, numbers: count = String(numbers) }: { dir: string; numbers?: string },
): Program {
  return startProgram("counting-worker", [url, count, dir, "4", "100"]);
}

// Ends with the test, also with one that failed, and however it was left.
function ending(worker: Program): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      worker.kill("SIGKILL");
      await worker.ended();
    },
  };
}

function hasBegun(dir: string, id: string): boolean {
  return fs.existsSync(path.join(dir, id));
}

function told({ lines }: Program, kind: string): unknown[] {
  return lines.map((line) => JSON.parse(line) as { kind: string }).filter((event) => event.kind === kind);
}

async function handOvers(
  connection: FleetConnection,
  ids: readonly string[],
): Promise<(number | undefined)[]> {
  const states = await Promise.all(ids.map((id) => findSessionState(connection, id)));
  return states.map((kept) => kept?.state.handOvers);
}

// Waits for all to end, then compares what was said with what was done.
async function problemsIn(
  connection: FleetConnection,
  ids: readonly string[],
  dir: string,
): Promise<string[]> {
  await waitFor(async () => (await countEnded(connection, ids)) === ids.length, LONG);
  const problems = await Promise.all(
    ids.map((sessionId) => problemsOf(connection, { sessionId, numbers, dir })),
  );
  return problems.flat();
}
