import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { writeScript } from "../../../test/support/agent-script.ts";
import { startProgram, waitFor } from "../../../test/support/index.ts";
import { markedProcesses, taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import type { TaskEvent } from "./task-event.ts";

function watch(world: TaskWorld): { told: () => string[]; [Symbol.asyncDispose](): Promise<void> } {
  const events: TaskEvent[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    for await (const event of world.tasks.events({ signal: stop.signal })) events.push(event);
  })();
  return {
    told: () => events.map(({ subtype, task_id }) => `${subtype} ${task_id}`),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await watching;
    },
  };
}

const wholeLife = (id: string): string[] => [
  `task_started ${id}`,
  `task_updated ${id}`,
  `task_notification ${id}`,
];

test("events() tells every task from start to end, however short, and nothing of those that ended before", async () => {
  await using world = taskWorld();
  const { task: before } = await world.run("true");
  // As if its supervisor had been killed at the last moment.
  await waitFor(() => !fs.existsSync(before.files.endingDraft));
  fs.writeFileSync(before.files.endingDraft, "");
  const long = await world.tasks.start({ command: "sleep 60", cwd: world.cwd });
  await using watching = watch(world);
  await waitFor(() => watching.told().length === 1);
  const short = await Promise.all(
    Array.from({ length: 10 }, () => world.tasks.start({ command: "true", cwd: world.cwd })),
  );
  await waitFor(() => watching.told().length === 31);
  await world.tasks.stop(long, { by: "test" });
  await waitFor(() => watching.told().length === 33);
  for (const { record } of [long, ...short])
    expect(watching.told().filter((line) => line.endsWith(record.id))).toEqual(wholeLife(record.id));
});

test("onEvent() calls for the same events, one call after the other, until the signal or an error", async () => {
  await using world = taskWorld();
  const stop = new AbortController();
  const told: string[] = [];
  let atOnce = 0;
  const listening = world.tasks.onEvent(
    async ({ subtype, task_id }) => {
      expect(++atOnce).toBe(1);
      await Promise.resolve();
      told.push(`${subtype} ${task_id}`);
      atOnce--;
    },
    { signal: stop.signal },
  );
  const { record } = await world.tasks.start({ command: "true", cwd: world.cwd });
  await waitFor(() => told.length === 3);
  expect(told).toEqual(wholeLife(record.id));
  stop.abort();
  await listening;

  await world.tasks.start({ command: "sleep 60", cwd: world.cwd });
  const failing = world.tasks.onEvent(() => Promise.reject(new Error("enough")), {
    signal: new AbortController().signal,
  });
  await expect(failing).rejects.toThrow("enough");
});

test("events() goes on when the home was removed and made again", async () => {
  await using world = taskWorld();
  const { record } = await world.tasks.start({ command: "exec sleep 60", cwd: world.cwd });
  await using watching = watch(world);
  await waitFor(() => watching.told().length === 1);
  const marked = await waitFor(() => markedProcesses(record.id)[0]);
  fs.rmSync(world.home, { recursive: true });
  await waitFor(() => watching.told().length === 3);
  expect(watching.told()).toEqual(wholeLife(record.id));
  process.kill(marked, "SIGKILL");
  // Found by the timed check; from then on the new folder is watched, and what is short is seen, too.
  const long = await world.tasks.start({ command: "sleep 60", cwd: world.cwd });
  await waitFor(() => watching.told().includes(`task_started ${long.record.id}`));
  const { task } = await world.run("true");
  await waitFor(() => watching.told().length === 7);
  expect(watching.told().slice(4)).toEqual(wholeLife(task.record.id));
});

test("events() tells that a task is lost", async () => {
  await using world = taskWorld();
  const task = await world.tasks.start({ command: "sleep 60", cwd: world.cwd });
  await using watching = watch(world);
  const pid = await waitFor(async () => {
    const { state } = await world.tasks.refresh(task);
    return state.status === "running" && state.pid;
  });
  process.kill(-pid, "SIGKILL");
  await waitFor(() => watching.told().length === 3);
  expect(watching.told()).toEqual(wholeLife(task.record.id));
});

test("events() tells the end of a task that was removed before anybody looked", async () => {
  await using world = taskWorld();
  const task = await world.tasks.start({ command: "read line", cwd: world.cwd, stdin: true });
  const stop = new AbortController();
  const events = world.tasks.events({ signal: stop.signal });
  expect((await events.next()).value).toMatchObject({ subtype: "task_started", task_id: task.record.id });
  await world.tasks.send(task, "\n");
  await world.ended(task);
  await world.tasks.remove(task);
  expect((await events.next()).value).toMatchObject({
    subtype: "task_updated",
    task_id: task.record.id,
    patch: { status: "failed", error: "its files were removed" },
  });
  expect((await events.next()).value).toMatchObject({ subtype: "task_notification", status: "failed" });
  stop.abort();
  expect((await events.next()).done).toBe(true);
});

test("events() tells each of many short tasks of several processes and projects once, in the SDK's shapes", async () => {
  await using world = taskWorld();
  await using watching = watch(world);
  const launchers = ["one", "two"].map((name) => {
    const cwd = `${world.cwd}/${name}`;
    fs.mkdirSync(cwd);
    return startProgram("task-launcher", [world.home, cwd]);
  });
  try {
    for (const launcher of launchers)
      for (let n = 0; n < 15; n++) launcher.say(JSON.stringify({ command: `exit ${n % 2}` }));
    await waitFor(() => launchers.every(({ lines }) => lines.length === 16));
    const ids = launchers.flatMap(({ lines }) =>
      lines.slice(1).map((line) => (JSON.parse(line) as { id: string }).id),
    );
    await waitFor(() => watching.told().length >= 90);
    await Promise.all(ids.map(async (id) => world.ended(await world.tasks.find(id))));
    expect(watching.told().toSorted()).toEqual(ids.flatMap(wholeLife).toSorted());
  } finally {
    for (const launcher of launchers) launcher.kill();
    await Promise.all(launchers.map((launcher) => launcher.ended()));
  }
});

describe("watchTasks() of agents", () => {
  test("tells the start, progress, questions and the end, with what the agent used", async () => {
    await using world = taskWorld();
    const stop = new AbortController();
    const events: TaskEvent[] = [];
    const watching = (async () => {
      for await (const event of world.tasks.events({ signal: stop.signal })) events.push(event);
    })();
    const runner = writeScript(world, {
      steps: [{ tool: "Read", input: { file_path: "x" } }, { run: "true" }, { text: "Done." }],
      usage: { input_tokens: 4, output_tokens: 1 },
    });
    const task = await world.agents.start({
      prompt: "Look",
      cwd: world.cwd,
      runner,
      toolUseId: "toolu_1",
    });
    const task_id = task.record.id;
    await waitFor(() => events.some((event) => "patch" in event && event.patch.status === "paused"));
    const { requestId } = (await world.agents.progress(task))!.needsInput!;
    await world.agents.answer(task, { requestId, answer: { behavior: "allow" }, by: "me" });
    await world.ended(task);
    await waitFor(() => events.some(({ subtype }) => subtype === "task_notification"));
    stop.abort();
    await watching;
    const text = expect.any(String) as string;
    const base = { type: "system", task_id, uuid: text, session_id: "", cursor: text };
    expect(events[0]).toEqual({
      ...base,
      subtype: "task_started",
      tool_use_id: "toolu_1",
      task_type: "local_agent",
      description: "Look",
      subagent_type: "general-purpose",
      prompt: "Look",
      spawn_depth: 1,
    });
    expect(events.find((event) => "patch" in event)).toMatchObject({
      patch: { status: "paused", needs_input: { tool: "Bash", title: "Run true" } },
    });
    expect(events).toContainEqual({ ...base, subtype: "task_updated", patch: { status: "running" } });
    const usage = { total_tokens: 15, tool_uses: 2, duration_ms: expect.any(Number) as number };
    expect(events.findLast(({ subtype }) => subtype === "task_progress")).toEqual({
      ...base,
      subtype: "task_progress",
      tool_use_id: "toolu_1",
      description: "Look",
      subagent_type: "general-purpose",
      usage,
      last_tool_name: "Bash",
      summary: "Done.",
    });
    expect(events.at(-1)).toEqual({
      ...base,
      subtype: "task_notification",
      tool_use_id: "toolu_1",
      status: "completed",
      output_file: task.files.output,
      summary: 'Agent "Look" completed',
      usage,
    });
  });
});
