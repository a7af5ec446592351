import { expect, test } from "vitest";
import { waitFor } from "../../../test/support/index.ts";
import { taskWorld } from "../../../test/support/task-world.ts";
import type { LiveTasks } from "./live-tasks.ts";
import type { TaskMoment } from "./live-message.ts";

async function rowOf(live: LiveTasks, id: string) {
  return (await live.all()).find((row) => row.id === id);
}

async function next(moments: AsyncGenerator<TaskMoment>): Promise<TaskMoment> {
  const { value, done } = await moments.next();
  if (done) throw new Error("No more moments");
  return value;
}

test("all() has what runs and what has ended, newest first, and every change of it", async () => {
  await using world = taskWorld();
  const ended = await world.run("echo one", { name: "first" });
  const live = await world.tasks.live();
  try {
    expect(await live.all()).toMatchObject([
      {
        id: ended.task.record.id,
        name: "first",
        kind: "local_bash",
        notice: "queued",
        outputBytes: 4,
        lastLine: "one",
      },
    ]);
    const running = await world.tasks.start({
      command: "echo two; read -r x; exit 3",
      cwd: world.cwd,
      stdin: true,
    });
    const { id } = running.record;
    await waitFor(async () => (await rowOf(live, id))?.lastLine === "two");
    expect((await live.all()).map((row) => row.id)).toEqual([id, ended.task.record.id]);
    await world.tasks.send(running, "\n");
    await waitFor(async () => (await rowOf(live, id))?.state.status === "failed");
    expect(await live.get(id)).toMatchObject({ notice: "queued", isRetained: false, state: { exitCode: 3 } });
  } finally {
    await live.close();
  }
});

test("onChange() tells what others do to ended tasks: a notice is taken, one is kept, one is removed", async () => {
  await using world = taskWorld();
  const [first, second] = [await world.run("true"), await world.run("true")];
  const live = await world.tasks.live();
  try {
    expect(await live.all()).toHaveLength(2);
    const gone: string[] = [];
    live.onChange((changes) => void gone.push(...changes.gone));
    const { id } = first.task.record;
    await world.tasks.told(first.task, { by: "test" });
    await world.tasks.retain(first.task);
    await waitFor(async () => {
      const row = await rowOf(live, id);
      return row?.notice === "consumed" && row.isRetained;
    });
    await world.tasks.remove(second.task);
    await waitFor(() => gone.includes(second.task.record.id));
    expect((await live.all()).map((row) => row.id)).toEqual([id]);
  } finally {
    await live.close();
  }
});

test("follow() tells each start and end once, also after its cursor in another thread", async () => {
  await using world = taskWorld();
  const before = await world.run("true");
  const first = await world.tasks.live();
  const leaving = new AbortController();
  const moments = first.follow(undefined, { signal: leaving.signal });
  const begin = await next(moments);
  expect(begin).toMatchObject({ kind: "begin", isResumed: false });
  const task = await world.tasks.start({ command: "read -r x", cwd: world.cwd, stdin: true });
  const { id } = task.record;
  const started = await next(moments);
  expect(started).toMatchObject({ kind: "started", row: { id } });
  leaving.abort();
  await moments.return(undefined);
  await first.close();

  // Nobody looks while it ends, and while another one starts and ends.
  await world.tasks.send(task, "\n");
  await world.ended(task);
  const meanwhile = await world.run("exit 2");
  const second = await world.tasks.live();
  const again = new AbortController();
  try {
    const resumed = second.follow(started.cursor, { signal: again.signal });
    expect(await next(resumed)).toMatchObject({ kind: "begin", isResumed: true });
    const told = [await next(resumed), await next(resumed), await next(resumed)];
    expect(told.map((moment) => ("row" in moment ? `${moment.kind} ${moment.row.id}` : moment.kind))).toEqual(
      [`ended ${id}`, `started ${meanwhile.task.record.id}`, `ended ${meanwhile.task.record.id}`],
    );
    again.abort();
    expect(await resumed.next()).toMatchObject({ done: true });
    const wrong = second.follow("no cursor", { signal: AbortSignal.timeout(10_000) });
    expect(await next(wrong)).toMatchObject({ kind: "begin", isResumed: false });
    await wrong.return(undefined);
  } finally {
    await second.close();
  }
  expect(before.state.status).toBe("completed");
});
