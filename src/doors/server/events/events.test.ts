import fs from "node:fs";
import { expect, test } from "vitest";
import type { ServerEvents } from "../api/index.ts";
import { waitFor } from "../../../../test/support/index.ts";
import { dashboardWorld, type HeardEvent } from "../../../../test/support/dashboard-world.ts";

/** Reads on until an event is as it should be. */
async function heard<Name extends keyof ServerEvents>(
  events: AsyncGenerator<HeardEvent>,
  name: Name,
  isMeant: (data: ServerEvents[Name]) => boolean = () => true,
): Promise<{ data: ServerEvents[Name]; id: string | undefined }> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error(`The stream ended without ${name}`);
    const data = value.data as ServerEvents[Name];
    if (value.name === name && isMeant(data)) return { data, id: value.id };
  }
}

test("a stream begins with hello, and tells of starts, outputs, endings and counts", async () => {
  await using world = await dashboardWorld();
  const leaving = new AbortController();
  const events = world.events({ signal: leaving.signal });
  const hello = await heard(events, "hello");
  expect(hello).toMatchObject({
    data: { version: "1.2.3", isResumed: false },
    id: expect.any(String) as string,
  });
  const body = {
    kind: "command",
    command: "echo one; read -r x; echo two",
    cwd: world.home.cwd,
    stdin: true,
  };
  const { task } = await world.ask("POST /api/start", { body });
  await heard(events, "task", ({ is, row }) => is === "started" && row.id === task.id);
  const watch = { outputs: [{ task: task.id, stream: "stdout", from: 0 }], conversations: [] };
  await world.ask("POST /api/events/{stream}/watch", { path: { stream: hello.data.stream }, body: watch });
  const first = await heard(events, "output");
  expect(first.data).toEqual({ task: task.id, stream: "stdout", from: 0, to: 4, bytes: 4, text: "one\n" });
  await world.ask("POST /api/tasks/{id}/send", { path: { id: task.id }, body: { text: "\n" } });
  // In any order: each is looked for by a watcher of its own.
  const wanted: HeardEvent[] = [];
  const isWanted = ({ name, data }: HeardEvent): boolean =>
    name === "output" || (name === "task" && data.is === "ended") || (name === "counts" && data.unseen === 1);
  while (wanted.length < 3) {
    const { value } = await events.next();
    if (isWanted(value as HeardEvent)) wanted.push(value as HeardEvent);
  }
  const told = Object.fromEntries(wanted.map(({ name, data }) => [name, data]));
  expect(told["output"]).toMatchObject({ from: 4, to: 8, text: "two\n" });
  expect(told["task"]).toMatchObject({ row: { id: task.id, status: "completed" } });
  expect(told["counts"]).toMatchObject({ running: 0 });
  await world.ask("POST /api/tasks/{id}/remove", { path: { id: task.id } });
  expect((await heard(events, "task-gone")).data).toEqual({ id: task.id });
  leaving.abort();
});

test("a question is told when it is asked, and when somebody else has answered it", async () => {
  await using world = await dashboardWorld();
  const leaving = new AbortController();
  const events = world.events({ signal: leaving.signal });
  await heard(events, "hello");
  await world.ask("POST /api/demo");
  const { question } = (await heard(events, "asked")).data;
  const answer = { behavior: "deny", message: "No" } as const;
  const by = "cli:ben";
  await world.runtime.agents.answer(question.taskId, { requestId: question.requestId, answer, by });
  expect((await heard(events, "answered")).data).toMatchObject({
    requestId: question.requestId,
    answered: { behavior: "deny", by, isYours: false },
  });
  leaving.abort();
});

test("a reader that comes back to another server hears each start and end once", async () => {
  const first = await dashboardWorld();
  const { home } = first;
  const leaving = new AbortController();
  const events = first.events({ signal: leaving.signal });
  await heard(events, "hello");
  const { task } = await first.ask("POST /api/start", {
    body: { kind: "command", command: "true", cwd: home.cwd },
  });
  const { id } = await heard(events, "task", ({ is }) => is === "ended");
  leaving.abort();
  await first[Symbol.asyncDispose]();

  await using second = await dashboardWorld({ home });
  const meanwhile = await second.runtime.tasks.start({ command: "exit 2", cwd: home.cwd });
  await second.runtime.tasks.wait(meanwhile, { timeoutMs: 30_000 });
  const again = new AbortController();
  const resumed = second.events({ after: id!, signal: again.signal });
  expect((await heard(resumed, "hello")).data.isResumed).toBe(true);
  const told: string[] = [];
  const { row } = (
    await heard(resumed, "task", ({ is, row: each }) => {
      if (is !== "changed") told.push(each.id);
      return is === "ended";
    })
  ).data;
  expect(row.id).toBe(meanwhile.record.id);
  expect(told).not.toContain(task.id);
  again.abort();
});

test("a slow reader gets the newest state, and its output goes on near the end", async () => {
  await using world = await dashboardWorld();
  const leaving = new AbortController();
  const events = world.events({ signal: leaving.signal });
  const hello = await heard(events, "hello");
  const body = {
    kind: "command",
    command: "yes 0123456789 | head -c 60000000; read -r x",
    cwd: world.home.cwd,
    stdin: true,
  };
  const { task } = await world.ask("POST /api/start", { body });
  const watch = { outputs: [{ task: task.id, stream: "stdout", from: 0 }], conversations: [] };
  await world.ask("POST /api/events/{stream}/watch", { path: { stream: hello.data.stream }, body: watch });
  const { files } = await world.runtime.tasks.find(task.id);
  await waitFor(() => fs.statSync(files.output).size === 60_000_000);
  // Nothing was read since. What comes now begins where it was, jumps once, and ends at the end.
  let [from, bytes, jumps] = [0, 0, 0];
  await heard(events, "output", (output) => {
    if (output.from > from) jumps++;
    bytes += output.text.length;
    from = output.to;
    return output.to === 60_000_000;
  });
  expect(jumps).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(30_000_000);
  leaving.abort();
});

test("only so many streams are open at once, and a place is free again when one is left", async () => {
  await using world = await dashboardWorld();
  const leaving = new AbortController();
  const open = await Promise.all(
    Array.from({ length: 32 }, () => world.request("/api/events", { signal: leaving.signal })),
  );
  expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await world.request("/api/events");
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { code: "too_many" } }]);
  leaving.abort();
  await waitFor(async () => {
    const once = new AbortController();
    const { status } = await world.request("/api/events", { signal: once.signal });
    once.abort();
    return status === 200;
  });
});
