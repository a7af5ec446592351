// A session comes back, after a crash or a compaction, and is told in one text what it had started: what ended unseen and what
// still runs. A harness puts that text before the next prompt, so that nothing is waited for in vain or started twice.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { openRuntime } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const place = temporaryHome();
const { cwd } = place;
const sessionId = randomUUID();

// A harness starts two commands for its session, and is gone before either has ended.
const before = openRuntime(place);
const tests = await before.tasks.start({ command: "echo 2 of 9 failed; exit 1", cwd, sessionId });
const server = await before.tasks.start({ command: "exec sleep 600", cwd, sessionId, description: "Server" });
await before.close();

const after = openRuntime(place);
await after.tasks.wait(tests.record.id);
const brief = await after.brief({ cwd, sessionId });
assert(brief);
console.log(brief.text);
assert.deepEqual(
  brief.told.map(({ id }) => id),
  [tests.record.id],
);
assert.match(brief.text, new RegExp(`${tests.record.id}.*exit code 1`));
assert.match(brief.text, new RegExp(server.record.id));

// Told is told: neither a notice nor another session of the project repeats the ending.
assert.deepEqual(await after.tasks.consumeNotices({ cwd, sessionId, by: "the example" }), []);

// But for a session that has forgotten it.
const again = await after.brief({ cwd, sessionId, afterCompaction: true });
assert.match(again?.text ?? "", new RegExp(tests.record.id));

const ending = await after.tasks.stop(server.record.id, { by: "the example" });
assert.equal(ending.status, "stopped");
await after.close();
