import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ClaimedRun } from "../../src/fleet/runs/handle-run.ts";
import { RunControls, type StopOrder } from "../../src/fleet/runs/run-controls.ts";
import { runWorker, type WorkerEvent } from "../../src/fleet/runs/worker.ts";
import { readLog } from "../../src/fleet/runs/claim-run.ts";
import type { FleetConnection } from "../../src/fleet/transport/connection.ts";
import { sendControl } from "../../src/fleet/transport/controls.ts";
import { dispatchRun } from "../../src/fleet/transport/dispatch-run.ts";
import type { LogEvent, RunEnding } from "../../src/fleet/transport/log-event.ts";
import type { RunRequest } from "../../src/fleet/transport/run-request.ts";
import { findSessionState } from "../../src/fleet/transport/session-states.ts";
import { tempDir, waitFor } from "../support/index.ts";
import { natsServerForTests, startTestFleet } from "../support/nats-servers.ts";
import { countingRun } from "./count-runs.ts";

const file = await natsServerForTests();
const LONG = { timeoutMs: 60_000 };
const result = { content: [], totalDurationMs: 0, totalTokens: 0, totalToolUseCount: 0, usage: {} };

describe.skipIf(file === undefined)("a run of the fleet", () => {
  test("of two that dispatch one session at once one is refused, and the other's prompt is what runs", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir() });
    const { connection } = fleet;
    const sessions = Array.from({ length: 10 }, () => randomUUID());
    const sent = new Map<string, string>();
    for (const sessionId of sessions) {
      const both = ["one", "two"].map((prompt) => countingRun({ sessionId, prompt, dispatch: randomUUID() }));
      const outcomes = await Promise.allSettled(both.map((run) => dispatchRun(connection, run)));
      const accepted = both.filter((_, at) => outcomes[at]!.status === "fulfilled");
      const refusals = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
      expect([accepted.length, refusals]).toMatchObject([1, [{ code: "fleet_conflict" }]]);
      sent.set(sessionId, accepted[0]!.prompt);
    }
    const ran: [string, string][] = [];
    await working(connection, {
      async runAgent({ request }) {
        ran.push([request.sessionId, request.prompt]);
        return { status: "completed", result };
      },
      until: () => allEnded(connection, sessions),
    });
    expect(new Map(ran)).toEqual(sent);
    expect(ran).toHaveLength(sessions.length);
  });

  test("is refused while another one of its session waits or runs, and sent twice is there once", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir() });
    const { connection } = fleet;
    const run = countingRun({ dispatch: randomUUID() });
    await dispatchRun(connection, run);
    await dispatchRun(connection, run);
    const next = { ...run, run: 2, dispatch: randomUUID() };
    await expect(dispatchRun(connection, next)).rejects.toMatchObject({
      code: "fleet_conflict",
      message: expect.stringContaining("it is queued there already") as string,
    });
    const { events } = await working(connection, {
      runAgent: async () => ({ status: "completed", result }),
      until: () => allEnded(connection, [run.sessionId]),
    });
    expect(events.filter(({ kind }) => kind === "started")).toHaveLength(1);
    await dispatchRun(connection, next);
  });

  test("a stop counts as obeyed when the run has ended, so that the next worker hears it, too", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir() });
    const { connection } = fleet;
    const run = countingRun({ dispatch: randomUUID() });
    await dispatchRun(connection, run);
    await sendControl(connection, run, { kind: "stop", by: "somebody" });
    await working(connection, {
      // As a worker that is drained, or dies, after it has obeyed.
      runAgent: async (claimed) => void (await heardBy(claimed, "somebody")),
      until: async (events) => events.some(({ kind }) => kind === "given-back"),
    });
    await working(connection, {
      runAgent: async (claimed) => ({ status: "stopped", ...(await heardBy(claimed, "somebody")) }),
      until: () => allEnded(connection, [run.sessionId]),
    });
    expect(kindsOf(await logOf(connection, run))).not.toContain("controlled");
  });

  test("a stop that comes late does not end the next run of its session, whichever version sends it", async () => {
    await using fleet = await startTestFleet({ file: file!, dir: tempDir() });
    const { connection } = fleet;
    const run = countingRun({ dispatch: randomUUID() });
    await dispatchRun(connection, run);
    const asEarlier = `ctl.${run.sessionId}`;
    await connection.js.publish(asEarlier, JSON.stringify({ kind: "stop", by: "an older home" }));
    await working(connection, {
      runAgent: async (claimed) => ({ status: "stopped", ...(await heardBy(claimed, "an older home")) }),
      until: () => allEnded(connection, [run.sessionId]),
    });
    await sendControl(connection, run, { kind: "stop", by: "too late" });
    const next = { ...run, run: 2, dispatch: randomUUID() };
    await dispatchRun(connection, next);
    await working(connection, {
      async runAgent(claimed) {
        const orders = await ordersAtStart(claimed);
        return orders.length === 0 ? { status: "completed", result } : { status: "stopped", ...orders[0]! };
      },
      until: () => allEnded(connection, [run.sessionId]),
    });
    expect((await findSessionState(connection, run.sessionId))?.state).toMatchObject({
      run: 2,
      status: "completed",
    });
  });
});

/** A worker, until it is no longer needed. */
async function working(
  connection: FleetConnection,
  {
    runAgent,
    until,
  }: {
    runAgent: (run: ClaimedRun) => Promise<RunEnding | undefined>;
    until: (events: readonly WorkerEvent[]) => Promise<boolean>;
  },
): Promise<{ events: WorkerEvent[] }> {
  const events: WorkerEvent[] = [];
  const stop = new AbortController();
  const worker = runWorker(connection, {
    runAgent: async (run) => {
      const ending = await runAgent(run);
      // What is given back is given back by a worker that ends.
      if (!ending) stop.abort();
      return ending;
    },
    host: "test",
    slots: 2,
    signal: stop.signal,
    onEvent: (event) => events.push(event),
  });
  try {
    await waitFor(() => until(events), LONG);
  } finally {
    stop.abort();
    await worker;
  }
  return { events };
}

async function ordersAtStart(run: ClaimedRun): Promise<StopOrder[]> {
  const orders: StopOrder[] = [];
  const over = new AbortController();
  const controls = new RunControls(run, {
    onStop: (order) => orders.push(order),
    onAnswer: () => {},
    isSaid: () => false,
  });
  const following = controls.follow(over.signal);
  await controls.caughtUp();
  over.abort();
  await following;
  return orders;
}

async function heardBy(run: ClaimedRun, by: string): Promise<StopOrder> {
  const [order] = await ordersAtStart(run);
  expect(order).toEqual({ by });
  return order!;
}

async function allEnded(connection: FleetConnection, ids: readonly string[]): Promise<boolean> {
  const states = await Promise.all(ids.map((id) => findSessionState(connection, id)));
  return states.every((kept) => !["queued", "running"].includes(kept?.state.status ?? "queued"));
}

async function logOf(connection: FleetConnection, { sessionId }: RunRequest): Promise<LogEvent[]> {
  const kept = await findSessionState(connection, sessionId);
  return (await readLog(connection, { shard: kept!.state.shard, sessionId })).map(({ event }) => event);
}

function kindsOf(events: readonly LogEvent[]): string[] {
  return events.map(({ kind }) => kind);
}
