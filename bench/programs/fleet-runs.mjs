// Runs that are dispatched, taken by a worker as users start it, played by scripted agents and finished:
// fleet-runs.mjs SERVERS SESSIONS SLOTS MESSAGES SERVER_PID FOLDER COMMAND…
// The memory that is told is the server's and the worker's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { connectFleet, listSessionStates } from "holdfast/fleet";
import { dispatchRuns } from "./dispatch-runs.mjs";
import { peakMb } from "./peak-mb.mjs";
import { report } from "./report.mjs";

const [servers, ...rest] = process.argv.slice(2);
const [sessions, slots, messages, serverPid] = rest.slice(0, 4).map(Number);
const [folder, ...command] = rest.slice(4);

const connection = await connectFleet({ servers: servers.split(",") }, { name: "bench" });
const script = path.join(folder, "script.json");
fs.writeFileSync(script, JSON.stringify([{ repeat: messages, steps: [{ text: "x".repeat(500) }] }]));
const worker = startWorker();
const ended = countEnded(worker);
await ended.ready;

await report({
  work: () => Promise.all([dispatchRuns(connection, { sessions, script }), ended.all]),
  resultOf: () => ended.count(),
  figuresOf: () => ({ serverMb: peakMb(serverPid), workerMb: peakMb(worker.pid) }),
});
let completed = 0;
for await (const { status } of listSessionStates(connection)) if (status === "completed") completed++;
if (completed !== sessions) throw new Error(`${completed} of ${sessions} completed`);
worker.kill("SIGTERM");
await once(worker, "exit");
await connection.close();

function startWorker() {
  const [program, ...args] = [...command, "fleet", "worker", "--slots", String(slots), "--json"];
  return spawn(program, args, {
    env: { ...process.env, HOLDFAST_HOME: path.join(folder, "home"), HOLDFAST_NATS_URL: servers },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

function countEnded({ stdout }) {
  let count = 0;
  let [tellReady, tellAll] = [];
  const ready = new Promise((resolve) => (tellReady = resolve));
  const all = new Promise((resolve) => (tellAll = resolve));
  readline.createInterface({ input: stdout }).on("line", (line) => {
    const { kind, status } = JSON.parse(line);
    if (kind === "ready") tellReady();
    if (kind === "ended" && status === "completed" && ++count === sessions) tellAll();
  });
  return { ready, all, count: () => count };
}
