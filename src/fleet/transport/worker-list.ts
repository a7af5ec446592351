import { setTimeout } from "node:timers/promises";
import { workerBeatMs } from "../limits.ts";
import { parseJson } from "../../lib/read-json.ts";
import type { FleetConnection } from "./connection.ts";
import { hasShape, type Shape } from "./has-shape.ts";
import { readMessages } from "./log-reader.ts";
import { workersBucket, workerSubject } from "./names.ts";
import { untilServed } from "./retry.ts";

/** A worker as it reports itself. A worker that has not reported for a while is not listed. */
export interface WorkerState {
  schemaVersion: 1;
  id: string;
  host: string;
  pid: number;
  slots: number;
  busy: number;
  labels: readonly string[];
  at: string;
}

export interface AnnouncedWorker extends Pick<WorkerState, "id" | "host" | "slots" | "labels"> {
  busy: () => number;
  signal: AbortSignal;
}

/**
 * Tells of a worker until the signal, then that it has gone. For people only: nothing is decided by it. `told` is resolved
 * after the first time, or rejected with `fleet_forbidden` for one who is no worker.
 */
export function announceWorker(
  { js }: FleetConnection,
  worker: AnnouncedWorker,
): { told: Promise<void>; gone: Promise<void> } {
  const { busy, signal, ...rest } = worker;
  const tell = async (): Promise<void> => {
    const at = new Date().toISOString();
    const state: WorkerState = { schemaVersion: 1, ...rest, pid: process.pid, busy: busy(), at };
    await untilServed(() => js.publish(workerSubject(worker.id), JSON.stringify(state), { retries: 0 }), {
      signal,
    });
  };
  const told = tell();
  return { told, gone: keepTelling() };

  async function keepTelling(): Promise<void> {
    // Who waits for the first time hears why it failed; the rest is tried again.
    await told.catch(() => {});
    while (!signal.aborted) {
      await setTimeout(workerBeatMs, undefined, { signal }).catch(() => {});
      if (!signal.aborted) await tell().catch(() => {});
    }
    await js.publish(workerSubject(worker.id)).catch(() => {});
  }
}

const workerShape: Shape = {
  schemaVersion: (version) => version === 1,
  id: "text",
  host: "text",
  at: "text",
  pid: "number",
  slots: "number",
  busy: "number",
  labels: (labels) => Array.isArray(labels) && labels.every((label) => typeof label === "string"),
};

/** The workers that were there a moment ago, by host and id. */
export async function listWorkers(connection: FleetConnection): Promise<WorkerState[]> {
  const workers: WorkerState[] = [];
  const everything = { stream: `KV_${workersBucket}`, subject: workerSubject("*"), from: 1 };
  for await (const { data } of readMessages(connection, everything)) {
    const worker = parseJson(data);
    if (hasShape(worker, workerShape)) workers.push(worker as WorkerState);
  }
  return workers.sort((a, b) => (a.host + a.id < b.host + b.id ? -1 : 1));
}
