// Writes a session, goes on with it later where it ended, and forks it at a message. The client resumes such sessions, too.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { HoldfastError, openRuntime, textOf } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const home = temporaryHome();
const { sessions } = openRuntime(home);

// `sync`: an append resolves when the entry is on the disk. The default, `flush`, survives this process only.
const writer = await sessions.openWriter({ cwd: home.cwd, durability: "sync" });
const { session } = writer;
await writer.append({ type: "user", message: { role: "user", content: "Remember the number 7." } });
const last = await writer.append({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text: "7." }] },
});

// One writer a session: a second one is told who has it.
await assert.rejects(sessions.openWriter({ cwd: home.cwd, sessionId: session.sessionId }), (error) => {
  assert(error instanceof HoldfastError);
  console.log(`${error.code}: ${error.message}`);
  return error.code === "conflict";
});
await writer.close();

// Later, perhaps in another process: the next entry hangs on the last one.
const found = await sessions.find(session.sessionId.slice(0, 8));
const later = await sessions.openWriter({ cwd: home.cwd, sessionId: found.sessionId });
assert.equal(later.leaf, last);
await later.append({ type: "user", message: { role: "user", content: "Which number?" } });
await later.close();

// What a resume gives the model: from the newest compaction on, here everything.
const { entries, rejections } = await sessions.readConversation(session, { mode: "context" });
console.log(entries.map(textOf));
assert.deepEqual(entries.map(textOf), ["Remember the number 7.", "7.", "Which number?"]);
// Lines that are no entries are told with their byte offset, never skipped in silence.
assert.deepEqual(rejections, []);

// The fork is a new file with the conversation up to that message; the original keeps every byte.
const fork = await sessions.fork(session, { at: last, title: "Plan B" });
assert.equal(fork.entries, 2);
await sessions.rename(session, "Plan A");
await sessions.trash(session);
assert.deepEqual(await titles(), ["Plan B"]);
await sessions.restore(session.sessionId);
assert.deepEqual(await titles(), ["Plan A", "Plan B"]);

async function titles(): Promise<string[]> {
  const all = (await sessions.list()).map(({ title = "" }) => title).toSorted();
  console.log(all.join(", "));
  return all;
}
