import { setTimeout } from "node:timers/promises";
import { workerBeatMs } from "../format/limits.ts";
import type { FleetConnection } from "./connection.ts";
import { readMessages } from "./log-reader.ts";
import { workersBucket, workerSubject } from "./names.ts";

/** A worker as it tells of itself. The list forgets one that has not told for a while. */
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

export interface AnnouncedWorker {
  id: string;
  host: string;
  slots: number;
  labels: readonly string[];
  busy: () => number;
  signal: AbortSignal;
}

/** Tells of a worker until the signal, then that it has gone. For people only: nothing is decided by it. */
export async function announceWorker({ js }: FleetConnection, worker: AnnouncedWorker): Promise<void> {
  const { busy, signal, ...rest } = worker;
  const tell = async (state: object | undefined): Promise<void> => {
    try {
      await js.publish(workerSubject(worker.id), state ? JSON.stringify(state) : undefined);
    } catch {
      /* The servers are away; the next one is told. */
    }
  };
  while (!signal.aborted) {
    const at = new Date().toISOString();
    await tell({ schemaVersion: 1, ...rest, pid: process.pid, busy: busy(), at } satisfies WorkerState);
    await setTimeout(workerBeatMs, undefined, { signal }).catch(() => {});
  }
  await tell(undefined);
}

/** The workers that were there a moment ago, by host and id. */
export async function listWorkers(connection: FleetConnection): Promise<WorkerState[]> {
  const workers: WorkerState[] = [];
  const everything = { stream: `KV_${workersBucket}`, subject: workerSubject("*"), from: 1 };
  for await (const { data } of readMessages(connection, everything)) {
    const worker = parseWorker(data);
    if (worker) workers.push(worker);
  }
  return workers.sort((a, b) => (a.host + a.id < b.host + b.id ? -1 : 1));
}

function parseWorker(data: Uint8Array): WorkerState | undefined {
  try {
    const worker = JSON.parse(Buffer.from(data).toString("utf8")) as WorkerState | null;
    return worker?.schemaVersion === 1 ? worker : undefined;
  } catch {
    return undefined;
  }
}
