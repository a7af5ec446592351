import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { readLog } from "../../src/fleet/runs/claim-run.ts";
import type { FleetConnection } from "../../src/fleet/transport/connection.ts";
import { dispatchRun } from "../../src/fleet/transport/dispatch-run.ts";
import type { LoggedEvent } from "../../src/fleet/transport/log-event.ts";
import type { RunRequest } from "../../src/fleet/transport/run-request.ts";
import { findSessionState } from "../../src/fleet/transport/session-states.ts";

/** A run for the counting worker. */
export function countingRun(values: Partial<RunRequest> = {}): RunRequest {
  return {
    schemaVersion: 1,
    sessionId: randomUUID(),
    run: 1,
    queue: "default",
    prompt: "count",
    description: "counts",
    agent: { runner: { name: "scripted" }, permission: "allow", limits: {} },
    workspace: { kind: "empty" },
    origin: { host: "test", user: "test", cwd: "/" },
    dispatchedAt: new Date().toISOString(),
    ...values,
  };
}

export async function dispatchCounting(connection: FleetConnection, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++) ids.push((await dispatchRun(connection, countingRun())).sessionId);
  return ids;
}

/** How many of the sessions have ended. */
export async function countEnded(connection: FleetConnection, ids: readonly string[]): Promise<number> {
  const states = await Promise.all(ids.map((id) => findSessionState(connection, id)));
  return states.filter((kept) => !["queued", "running"].includes(kept?.state.status ?? "queued")).length;
}

/** What is wrong with a finished session's log and with what its agent did; nothing, if all is well. */
export async function problemsOf(
  connection: FleetConnection,
  { sessionId, numbers, dir }: { sessionId: string; numbers: number; dir: string },
): Promise<string[]> {
  const kept = await findSessionState(connection, sessionId);
  const events = await readLog(connection, { shard: kept!.state.shard, sessionId });
  const done = doneNumbers(path.join(dir, sessionId));
  return [
    ...wrongEnding(kept?.state.status, events),
    ...wrongNumbers(events, numbers),
    ...wrongWriters(events),
    ...done.filter((n, at) => done.indexOf(n) !== at).map((n) => `number ${n} was done twice`),
  ].map((problem) => `${sessionId}: ${problem}`);
}

function doneNumbers(file: string): number[] {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, "utf8").trim().split("\n").map(Number);
}

function wrongEnding(status: string | undefined, events: readonly LoggedEvent[]): string[] {
  const finished = events.filter(({ event }) => event.kind === "finished").length;
  return [
    ...(status === "completed" ? [] : [`its state is ${status}`]),
    ...(finished === 1 ? [] : [`it was finished ${finished} times`]),
    ...(events.at(-1)?.event.kind === "finished" ? [] : ["something was written behind its end"]),
  ];
}

function wrongNumbers(events: readonly LoggedEvent[], numbers: number): string[] {
  const recorded = events.flatMap(({ event }) =>
    event.kind === "entry" ? [`${event.entry.type} ${String(event.entry["n"])}`] : [],
  );
  const expected = Array.from({ length: numbers }, (_, at) => [
    `assistant ${at + 1}`,
    `user ${at + 1}`,
  ]).flat();
  return JSON.stringify(recorded) === JSON.stringify(expected)
    ? []
    : [`its log holds ${recorded.join(", ")}`];
}

// Between two claims only one process writes.
function wrongWriters(events: readonly LoggedEvent[]): string[] {
  let writer: unknown;
  const wrong: string[] = [];
  for (const { sequence, event } of events) {
    if (event.kind === "claimed") writer = undefined;
    if (event.kind !== "entry") continue;
    writer ??= event.entry["by"];
    if (event.entry["by"] !== writer)
      wrong.push(`event ${sequence} was written by a worker that had lost the run`);
  }
  return wrong;
}
