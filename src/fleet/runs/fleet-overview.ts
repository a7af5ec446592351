import { setTimeout } from "node:timers/promises";
import { fleetAddress, type AddressSource } from "../server/fleet-address.ts";
import { connectFleet, type FleetConnection } from "../transport/connection.ts";
import { fleetStatusMs } from "./limits.ts";
import { queueConsumer, runsStream, defaultQueue } from "../transport/names.ts";
import { listSessionStates, type SessionState } from "../transport/session-states.ts";
import { listWorkers, type WorkerState } from "../transport/worker-list.ts";
import { untilServed } from "../transport/retry.ts";

/** The state of the fleet at one moment. */
export interface FleetOverview {
  workers: WorkerState[];
  /** Newest change first. */
  sessions: SessionState[];
  queues: QueueState[];
  /** How often a worker took over from another one, all sessions together. */
  handOvers: number;
}

export interface QueueState {
  queue: string;
  /** Runs that nobody has taken. */
  waiting: number;
  /** Runs that a worker has. */
  leased: number;
  /** How often a run was given out again. */
  redelivered: number;
}

/** How the fleet stands, again and again, over one connection. */
export async function* watchOverview(source: AddressSource): AsyncGenerator<FleetOverview> {
  const connection = await connectFleet(fleetAddress(source, "watcher"), { name: "holdfast fleet status" });
  try {
    for (;;) {
      yield await readOverview(connection);
      await setTimeout(fleetStatusMs);
    }
  } finally {
    await connection.close();
  }
}

export async function readOverview(connection: FleetConnection): Promise<FleetOverview> {
  const sessions: SessionState[] = [];
  for await (const state of listSessionStates(connection)) sessions.push(state);
  const workers = await listWorkers(connection);
  const names = new Set([
    defaultQueue,
    ...workers.flatMap(({ labels }) => labels),
    ...sessions.filter(({ status }) => status === "queued").map(({ queue }) => queue),
  ]);
  const queues = await Promise.all([...names].map((queue) => readQueue(connection, queue)));
  // What a worker told of itself is some seconds old.
  const running = sessions.filter(({ status }) => status === "running");
  for (const each of workers) each.busy = running.filter(({ worker }) => worker === each.id).length;
  return {
    workers,
    sessions: sessions.reverse(),
    queues: queues.filter((queue) => queue !== undefined),
    handOvers: sessions.reduce((sum, state) => sum + state.handOvers, 0),
  };
}

async function readQueue({ jsm }: FleetConnection, queue: string): Promise<QueueState | undefined> {
  try {
    const info = await untilServed(() => jsm.consumers.info(runsStream, queueConsumer(queue)), {
      timeoutMs: 10_000,
    });
    return {
      queue,
      waiting: info.num_pending,
      leased: info.num_ack_pending,
      redelivered: info.num_redelivered,
    };
  } catch {
    // A label that no `fleet init` has made a queue for.
    return undefined;
  }
}
