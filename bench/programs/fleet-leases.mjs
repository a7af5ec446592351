// Runs that are all some worker's at the same time, and stay so: fleet-leases.mjs SERVERS SESSIONS HELD_MS SERVER_PID
// The memory that is told is the server's. The result is how many were leased, and how many leases were lost.
import { setTimeout as pause } from "node:timers/promises";
import { connectFleet, runWorker } from "holdfast/fleet";
import { dispatchRuns } from "./dispatch-runs.mjs";
import { peakMb } from "./peak-mb.mjs";
import { report } from "./report.mjs";

const [servers, ...numbers] = process.argv.slice(2);
const [sessions, heldMs, serverPid] = numbers.map(Number);
const SLOTS = 1000;

const connection = await connectFleet({ servers: servers.split(",") }, { name: "bench" });
const over = new AbortController();
const leased = new Set();
let lost = 0;
let tellAll;
const all = new Promise((resolve) => (tellAll = resolve));
const workers = Array.from({ length: Math.ceil(sessions / SLOTS) }, () =>
  runWorker(connection, {
    runAgent: hold,
    host: "bench",
    slots: SLOTS,
    signal: over.signal,
    onEvent: ({ kind }) => kind === "fenced" && lost++,
  }),
);

await report({
  work: async () => {
    await dispatchRuns(connection, { sessions, script: "none" });
    await all;
    await pause(heldMs);
  },
  resultOf: () => ({ leased: leased.size, lost }),
  figuresOf: () => ({ serverMb: peakMb(serverPid) }),
});
over.abort();
await Promise.all(workers);
await connection.close();

// Has its run until the worker ends, and then gives it back.
async function hold({ request, signal }) {
  leased.add(request.sessionId);
  if (leased.size === sessions) tellAll();
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return undefined;
}
