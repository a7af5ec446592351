// Forks a session at a message, gives both a name, throws one away and brings it back.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { openRuntime } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const home = temporaryHome();
const { sessions } = openRuntime(home);
const writer = await sessions.openWriter({ cwd: home.cwd });
const { session } = writer;
const first = await writer.append({ type: "user", message: { role: "user", content: "Plan the release." } });
await writer.append({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text: "Ship on Monday." }] },
});
await writer.close();

// The fork is a new file with the conversation up to that message; the original keeps every byte.
const fork = await sessions.fork(session, { at: first, title: "Plan B" });
assert.equal(fork.entries, 1);
await sessions.rename(session, "Plan A");

await sessions.trash(session);
const titles = (await sessions.list()).map(({ title }) => title);
console.log(`without it: ${titles.join(", ")}`);
assert.deepEqual(titles, ["Plan B"]);

await sessions.restore(session.sessionId);
const all = (await sessions.list()).map(({ title = "" }) => title).toSorted();
console.log(`with it again: ${all.join(", ")}`);
assert.deepEqual(all, ["Plan A", "Plan B"]);
