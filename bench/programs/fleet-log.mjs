// Sessions that are written at a pace and followed: fleet-log.mjs SERVERS HOW SESSIONS WATCHERS EVENTS PAUSE_MS
// HOW is holdfast (fenced logs, followed without gaps) or plain (the same messages by the bare client, listened to live).
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { connectFleet, followMessages, LogWriter } from "holdfast/fleet";
import { report } from "./report.mjs";

const [servers, how, ...numbers] = process.argv.slice(2);
const [sessions, watchers, events, pauseMs] = numbers.map(Number);
const address = { servers: servers.split(",") };
const writing = await connectFleet(address, { name: "writers" });
const watching = await connectFleet(address, { name: "watchers" });
const filler = "x".repeat(1000);
const [appendMs, tailMs] = [[], []];
const over = new AbortController();
let seen = 0;
let allSeen;
const done = new Promise((resolve) => (allSeen = resolve));

const all = Array.from({ length: sessions }, () => ({ shard: 0, sessionId: randomUUID() }));
const following = all.flatMap((place) => Array.from({ length: watchers }, () => watch(place)));
await watching.nc.flush();
await report({
  work: async () => {
    await Promise.all(all.map(write));
    await done;
  },
  resultOf: () => ({ events: sessions * events, seen }),
  figuresOf: () => ({
    appendP50: percentile(appendMs, 0.5),
    appendP99: percentile(appendMs, 0.99),
    tailP50: percentile(tailMs, 0.5),
    tailP99: percentile(tailMs, 0.99),
  }),
});
over.abort();
await Promise.all(following);
await writing.close();
await watching.close();

async function write(place) {
  const writer = new LogWriter(writing, { place, epoch: 1, last: 0 });
  await pause(Math.random() * pauseMs);
  for (let event = 0; event < events; event++) {
    const startedAt = performance.now();
    const data = Buffer.from(JSON.stringify({ event, at: startedAt, filler }));
    if (how === "holdfast") await writer.append(data);
    else await writing.js.publish(`ev.0.${place.sessionId}`, data);
    appendMs.push(performance.now() - startedAt);
    await pause(pauseMs);
  }
}

async function watch(place) {
  const subject = `ev.0.${place.sessionId}`;
  if (how === "holdfast") {
    const log = { stream: "EV0", subject, after: 0, signal: over.signal };
    for await (const { data } of followMessages(watching, log)) saw(data);
  } else watching.nc.subscribe(`live.${subject}`, { callback: (_, { data }) => saw(data) });
}

function saw(data) {
  tailMs.push(performance.now() - JSON.parse(Buffer.from(data).toString()).at);
  if (++seen === sessions * watchers * events) allSeen();
}

function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)];
}
