// Follows a session while another process writes it: each entry as it comes, and the lines that are none.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { openRuntime } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const home = temporaryHome();
const { sessions } = openRuntime(home);
const writer = await sessions.openWriter({ cwd: home.cwd });
await writer.append({ type: "user", message: { role: "user", content: "Message 1" } });

const stop = new AbortController();
const seen: unknown[] = [];
const writing = writeMore();

for await (const event of sessions.follow(writer.session, { signal: stop.signal })) {
  if (event.kind === "rewound") {
    // A client may cut a failed answer off again: what was given from that byte on is no longer there.
    console.log(`everything from byte ${event.to} on was taken back`);
    continue;
  }
  if (event.kind === "rejection") continue;
  // Comparing the type narrows the entry.
  if (event.entry.type !== "user") continue;
  const { content } = event.entry.message;
  console.log(content);
  seen.push(content);
  if (seen.length === 4) stop.abort();
}
await writing;

assert.deepEqual(seen, ["Message 1", "Message 2", "Message 3", "Message 4"]);

async function writeMore(): Promise<void> {
  for (const number of [2, 3, 4]) {
    await writer.append({ type: "user", message: { role: "user", content: `Message ${number}` } });
    await new Promise(setImmediate);
  }
  await writer.close();
}
