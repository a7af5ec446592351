// A worker of the fleet whose agent counts: it records each number as a tool use, does it (a line in a file), and records
// the result. Arguments: address of the server, how many numbers (or `die`), the folder for the files, slots, milliseconds a
// number.
import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { connectFleet } from "../../src/fleet/transport/connection.ts";
import type { ClaimedRun } from "../../src/fleet/runs/handle-run.ts";
import type { RunEnding } from "../../src/fleet/transport/log-event.ts";
import { runWorker } from "../../src/fleet/runs/worker.ts";

const [servers, numbers, dir, slots, eachMs] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const connection = await connectFleet({ servers: servers.split(",") }, { name: "counting-worker" });

async function count(run: ClaimedRun): Promise<RunEnding | undefined> {
  const { request, events, signal } = run;
  if (numbers === "die") process.exit(1);
  const recorded = (type: string): Set<number> =>
    new Set(
      events.flatMap(({ event }) =>
        event.kind === "entry" && event.entry.type === type ? [Number(event.entry["n"])] : [],
      ),
    );
  const [asked, answered] = [recorded("assistant"), recorded("user")];
  for (let n = 1; n <= Number(numbers); n++) {
    if (answered.has(n)) continue;
    if (signal.aborted) return undefined;
    if (asked.has(n)) {
      // Nobody knows whether it was done: it is told to the agent, not done again.
      await run.append({ kind: "entry", entry: { type: "user", n, isInterrupted: true, by: process.pid } });
      continue;
    }
    await run.append({ kind: "entry", entry: { type: "assistant", n, by: process.pid } });
    await run.confirm();
    fs.appendFileSync(path.join(dir, request.sessionId), `${n}\n`);
    await setTimeout(Number(eachMs));
    await run.append({ kind: "entry", entry: { type: "user", n, by: process.pid } });
  }
  const result = {
    content: [],
    totalDurationMs: 0,
    totalTokens: 0,
    totalToolUseCount: Number(numbers),
    usage: {},
  };
  return { status: "completed", result };
}

await runWorker(connection, {
  runAgent: count,
  host: "test",
  slots: Number(slots),
  signal: stop.signal,
  onEvent: (event) => process.stdout.write(`${JSON.stringify({ ...event, pid: process.pid })}\n`),
});
await connection.close();
