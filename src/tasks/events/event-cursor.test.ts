import { describe, expect, test } from "vitest";
import { startProgram, waitFor } from "../../../test/support/index.ts";
import { taskWorld, type TaskWorld } from "../../../test/support/task-world.ts";
import { formatCursor, parseCursor, type EventCursor } from "./event-cursor.ts";
import type { TaskEvent } from "./task-event.ts";

describe("parseCursor()", () => {
  test.each<[EventCursor]>([
    [{ at: 1, open: new Map(), over: new Set() }],
    [{ at: Date.now(), open: new Map([["b1", { isUpdated: true }]]), over: new Set(["a-2", "a_3"]) }],
    [
      {
        at: 0,
        open: new Map([
          ["b1", { isUpdated: false }],
          ["b2", { isUpdated: true }],
        ]),
        over: new Set(),
      },
    ],
  ])("reads back what formatCursor() wrote: %j", (cursor) => {
    expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
  });

  test.each(["", "1", "1.x", "2.1..", "1.1.a,.", "1.1..b,", "1.1.a b.", "1.zzzzzzzzzzzzzzz..", "1.1..\n"])(
    "refuses %j",
    (text) => {
      expect(() => parseCursor(text)).toThrow(RangeError);
    },
  );

  test("refuses a long one that is nearly right at once", () => {
    const began = performance.now();
    expect(() => parseCursor(`1.1.${"a".repeat(100_000)}#.`)).toThrow(RangeError);
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

/** Takes so many starts and ends (or all, until nothing is left), as a process that is gone afterwards. */
async function take(
  world: TaskWorld,
  { after, count }: { after?: string | undefined; count: number },
): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  if (count === 0) return events;
  const stop = new AbortController();
  for await (const event of world.tasks.events({ signal: stop.signal, after })) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

const wholeLife = ["task_started", "task_updated", "task_notification"];

test("events() after any cursor tells what happened since, in order and once", async () => {
  await using world = taskWorld();
  const request = { cwd: world.cwd, stdin: true, sessionId: "s-1" };
  const long = await world.tasks.start({ ...request, command: "read line" });
  const begun = await take(world, { count: 1 });
  const watching = take(world, { after: begun[0]!.cursor, count: 11 });
  const short = await Promise.all(
    ["true", "exit 3", "true"].map((command) => world.tasks.start({ ...request, command })),
  );
  await Promise.all(short.map((task) => world.ended(task)));
  await world.tasks.send(long, "\n");
  const all = [...begun, ...(await watching)];
  expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(12);
  expect(new Set(all.map(({ session_id }) => session_id))).toEqual(new Set(["s-1"]));
  for (const [index, { cursor }] of all.entries()) {
    const left = all.slice(index + 1);
    const since = await take(world, { after: cursor, count: left.length });
    expect(since.map(({ uuid }) => uuid).toSorted()).toEqual(left.map(({ uuid }) => uuid).toSorted());
    for (const { record } of [long, ...short]) {
      const told = [...all.slice(0, index + 1), ...since].filter(({ task_id }) => task_id === record.id);
      expect(told.map(({ subtype }) => subtype)).toEqual(wholeLife);
    }
  }
  // Nothing is left behind the last one: the next event is of a task that is started now.
  const next = take(world, { after: all.at(-1)!.cursor, count: 1 });
  const { record } = await world.tasks.start({ command: "true", cwd: world.cwd });
  expect(await next).toMatchObject([{ subtype: "task_started", task_id: record.id }]);
});

test("events() loses and doubles nothing when its reader is replaced again and again while many tasks run", async () => {
  await using world = taskWorld();
  const launchers = [0, 1].map(() => startProgram("task-launcher", [world.home, world.cwd]));
  const total = 2 * 20 * wholeLife.length;
  const told: TaskEvent[] = [];
  try {
    let after = (await firstCursor(world)) as string | undefined;
    for (const launcher of launchers)
      for (let n = 0; n < 20; n++)
        launcher.say(JSON.stringify({ command: n % 3 === 0 ? "sleep 0.2" : "true" }));
    for (let size = 1; told.length < total; size = (size % 7) + 1) {
      const events = await take(world, { after, count: Math.min(size, total - told.length) });
      told.push(...events);
      after = events.at(-1)!.cursor;
    }
    await waitFor(() => launchers.every(({ lines }) => lines.length === 21));
  } finally {
    for (const launcher of launchers) launcher.kill();
    await Promise.all(launchers.map((launcher) => launcher.ended()));
  }
  const ids = launchers.flatMap(({ lines }) =>
    lines.slice(1).map((line) => (JSON.parse(line) as { id: string }).id),
  );
  for (const id of ids)
    expect(told.filter(({ task_id }) => task_id === id).map(({ subtype }) => subtype)).toEqual(wholeLife);
});

async function firstCursor(world: TaskWorld): Promise<string> {
  const watching = take(world, { count: 3 });
  await world.run("true");
  return (await watching).at(-1)!.cursor;
}

test("events() after a cursor tells the end of a task that was removed meanwhile", async () => {
  await using world = taskWorld();
  const task = await world.tasks.start({ command: "read line", cwd: world.cwd, stdin: true });
  const [started] = await take(world, { count: 1 });
  await world.tasks.send(task, "\n");
  await world.ended(task);
  await world.tasks.remove(task);
  const [end] = await take(world, { after: started!.cursor, count: 1 });
  expect(end).toMatchObject({ subtype: "task_notification", task_id: task.record.id });
});
