// Writes a session, closes it, and goes on with it later where it ended. One writer a session: a second one is
// told who has it. In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { HoldfastError, openRuntime } from "../src/index.ts";
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

try {
  await sessions.openWriter({ cwd: home.cwd, sessionId: session.sessionId });
  assert.fail("a second writer was let in");
} catch (error) {
  assert(error instanceof HoldfastError);
  console.log(`${error.code}: ${error.message}`);
  assert.equal(error.code, "conflict");
}
await writer.close();

// Later, perhaps in another process: the next entry hangs on the last one.
const later = await sessions.openWriter({ cwd: home.cwd, sessionId: session.sessionId });
assert.equal(later.leaf, last);
await later.append({ type: "user", message: { role: "user", content: "Which number?" } });
await later.close();

// What a resume gives the model: from the newest compaction on, here everything.
const { entries, rejections } = await sessions.readConversation(session, { mode: "context" });
console.log(`${entries.length} entries to go on with`);
assert.equal(entries.length, 3);
assert.deepEqual(rejections, []);
