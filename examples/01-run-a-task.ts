// Runs a command that outlives whoever started it, follows its output, and learns how it ended.
// In your own project: import { openRuntime } from "holdfast".
import assert from "node:assert/strict";
import { HoldfastError, openRuntime } from "../src/index.ts";
import { temporaryHome } from "./temporary-home.ts";

const place = temporaryHome();
const runtime = openRuntime(place);

// Once this resolves, the record is on the disk and a supervisor runs: this process may die now.
const { record } = await runtime.tasks.start({
  command: "echo building; echo 'no such file' >&2; exit 3",
  cwd: place.cwd,
  name: "build",
});
await runtime.close();

// Any process that opens the same home sees the same tasks, by id, unique prefix, name or "@last".
const later = openRuntime(place);
const said = { stdout: "", stderr: "" };
for await (const { stream, text } of later.tasks.follow("build")) said[stream] += text;
console.log(said);
assert.deepEqual(said, { stdout: "building\n", stderr: "no such file\n" });

// A command that fails is an ending like any other, never an exception.
const ending = await later.tasks.wait(record.id);
console.log(`${record.id} ${ending?.status}`);
assert(ending?.status === "failed");
assert.equal(ending.exitCode, 3);

// Nobody was told yet, so there is a notice. It is given once.
const by = "the example";
const [notice, ...others] = await later.tasks.consumeNotices({ cwd: place.cwd, by });
console.log(notice?.text);
assert.deepEqual([notice?.taskId, others], [record.id, []]);
assert.deepEqual(await later.tasks.consumeNotices({ cwd: place.cwd, by }), []);

// What a caller can handle has a code.
await assert.rejects(later.tasks.find("no-such-task"), (error) => {
  assert(error instanceof HoldfastError);
  console.log(`${error.code}: ${error.message}`);
  return error.code === "task_not_found";
});
await later.close();
