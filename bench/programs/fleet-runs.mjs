// Runs that are dispatched, taken, recorded and finished: fleet-runs.mjs SERVERS SESSIONS SLOTS EVENTS SERVER_PID
// The memory that is told is the server's.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { connectFleet, dispatchRun, listSessionStates, runWorker } from "holdfast/fleet";
import { report } from "./report.mjs";

const [servers, ...numbers] = process.argv.slice(2);
const [sessions, slots, events, pid] = numbers.map(Number);
const address = { servers: servers.split(",") };
const connection = await connectFleet(address, { name: "bench" });
const stop = new AbortController();
let ended = 0;
let allEnded;
const done = new Promise((resolve) => (allEnded = resolve));
const result = { content: [], totalDurationMs: 0, totalTokens: 0, totalToolUseCount: 0, usage: {} };

await report({
  work: async () => {
    const worker = runWorker(connection, {
      host: "bench",
      slots,
      signal: stop.signal,
      async runAgent(run) {
        for (let event = 0; event < events; event++)
          await run.append({ kind: "entry", entry: { type: "assistant", event, text: "x".repeat(500) } });
        return { status: "completed", result };
      },
      onEvent({ kind }) {
        if (kind === "ended" && ++ended === sessions) allEnded();
      },
    });
    for (let session = 0; session < sessions; session++) await dispatchRun(connection, request());
    await done;
    stop.abort();
    await worker;
  },
  resultOf: () => ended,
  figuresOf: () => ({ serverMb: residentBytes() / 1e6 }),
});
let completed = 0;
for await (const { status } of listSessionStates(connection)) if (status === "completed") completed++;
if (completed !== sessions) throw new Error(`${completed} of ${sessions} completed`);
await connection.close();

function request() {
  return {
    schemaVersion: 1,
    sessionId: randomUUID(),
    run: 1,
    queue: "default",
    prompt: "say something",
    description: "a bench",
    agent: { runner: { name: "scripted" }, permission: "allow", limits: {} },
    workspace: { kind: "empty" },
    origin: { host: "bench", user: "bench", cwd: "/" },
    dispatchedAt: new Date().toISOString(),
  };
}

function residentBytes() {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) * 1024;
}
