import { expect, test } from "vitest";
import { taskWorld } from "../../../test/support/task-world.ts";
import type { Runner } from "../../tasks/ports.ts";
import type { TaskState } from "../../tasks/record/task-state.ts";
import { noticeView } from "./notice-view.ts";
import { taskDetailsView } from "./task-details-view.ts";
import { noticeSchema, stateSchema, taskDetailsSchema, taskSchema } from "./task-schema.ts";
import { startedTaskView, stateView, taskView } from "./task-view.ts";

const endedAt = "2026-11-18T00:00:00.000Z";
const needsInput = { requestId: "r", toolUseId: "t", tool: "Bash", title: "Run ls", since: endedAt };

test.each<[TaskState]>([
  [{ status: "queued", place: 2 }],
  [{ status: "running" }],
  [{ status: "running", pid: 5, survivors: { exitCode: 0, pids: [7] }, needsInput }],
  [{ status: "completed", endedAt, exitCode: 0 }],
  [{ status: "failed", endedAt, exitCode: 137, signal: "SIGKILL", reason: "timeout" }],
  [{ status: "stopped", endedAt, exitCode: 143, stoppedBy: "cli:me" }],
  [{ status: "lost", endedAt, cause: "gone" }],
])("stateView() of %j is as its schema says", (state) => {
  const view = stateView(state);
  expect(stateSchema.parse(view)).toEqual(view);
  for (const [key, value] of Object.entries(state)) expect(view).toMatchObject({ [key]: value });
});

test("the views of a command are as their schemas say, and have a pid", async () => {
  await using world = taskWorld();
  const task = await world.tasks.start({ argv: ["true"], cwd: world.cwd, name: "one" });
  const started = await startedTaskView(world.tasks, task);
  expect(taskSchema.parse(started)).toEqual(started);
  expect(started.pid).toBeGreaterThan(0);
  await world.tasks.wait(task);
  const ended = await world.tasks.refresh(task);
  const details = taskDetailsView(ended, await world.tasks.inspect(ended));
  expect(taskDetailsSchema.parse(details)).toEqual(details);
  expect(details).toMatchObject({ ...taskView(ended), notice: { status: "queued" }, name: "one" });
  const notices = (await world.tasks.notices()).map(noticeView);
  expect(notices.map((notice) => noticeSchema.parse(notice))).toEqual(notices);
  expect(notices).toMatchObject([{ taskId: task.record.id, sessionId: null, status: "completed" }]);
});

test("the views of an agent are as their schemas say", async () => {
  await using world = taskWorld();
  const runner: Runner = async function* () {
    yield { kind: "activity", text: "Looking" };
    return { reason: "done" };
  };
  const { task, result } = await world.agents.run({ prompt: "Go", cwd: world.cwd, runner });
  await result;
  const view = taskView(await world.tasks.refresh(task));
  expect(taskSchema.parse(view)).toEqual(view);
  expect(view).toMatchObject({
    kind: "local_agent",
    agentType: "general-purpose",
    prompt: "Go",
    continues: null,
  });
});
