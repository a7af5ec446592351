import { expect, test } from "vitest";
import { threeQuestions, waitFor } from "../../../../test/support/index.ts";
import { dashboardWorld, type DashboardWorld } from "../../../../test/support/dashboard-world.ts";

async function ended({ runtime, home }: DashboardWorld, command: string, name?: string) {
  const task = await runtime.tasks.start({ command, cwd: home.cwd, name });
  await runtime.tasks.wait(task, { timeoutMs: 30_000 });
  return task.record.id;
}

async function isListed(world: DashboardWorld, ...ids: string[]): Promise<boolean> {
  const { tasks } = await world.ask("GET /api/tasks");
  return ids.every((id) => tasks.some((task) => task.id === id && task.endedAt !== null));
}

test("GET /api/tasks lists by page, status, folder, kind and words", async () => {
  await using world = await dashboardWorld();
  const failed = await ended(world, "echo needle; exit 3", "first");
  const fine = await ended(world, "true", "second");
  await waitFor(() => isListed(world, failed, fine));
  const listed = async (query: Record<string, string | number>) => {
    const { tasks, total, from } = await world.ask("GET /api/tasks", { query });
    return { ids: tasks.map((task) => task.id), total, from };
  };
  expect(await listed({})).toEqual({ ids: [fine, failed], total: 2, from: 0 });
  expect(await listed({ from: 1, limit: 1 })).toEqual({ ids: [failed], total: 2, from: 1 });
  expect(await listed({ status: "failed,lost" })).toMatchObject({ ids: [failed], total: 1 });
  expect(await listed({ status: "attention" })).toMatchObject({ total: 2 });
  expect(await listed({ q: "NEEDLE first" })).toMatchObject({ ids: [failed] });
  expect(await listed({ q: "needle second" })).toMatchObject({ total: 0 });
  expect(await listed({ kind: "local_agent" })).toMatchObject({ total: 0 });
  expect(await listed({ project: world.home.cwd })).toMatchObject({ total: 2 });
  expect(await listed({ project: `${world.home.cwd}x` })).toMatchObject({ total: 0 });
});

test("GET /api/tasks/{id} has the ending, its ledger, and what it hangs together with", async () => {
  await using world = await dashboardWorld();
  const id = await ended(world, "exit 3");
  await waitFor(() => isListed(world, id));
  const { task } = await world.ask("POST /api/tasks/{id}/restart", { path: { id } });
  await waitFor(() => isListed(world, id, task.id));
  const card = await world.ask("GET /api/tasks/{id}", { path: { id } });
  expect(card).toMatchObject({
    row: { id, attention: "unseen", notice: "queued" },
    ending: { status: "failed", exitCode: 3, writtenBy: "its supervisor", survivors: [] },
    ledger: [{ state: "queued", by: null }],
    before: null,
    after: [task.id],
    duplicates: [],
    cost: null,
    commands: { restart: `holdfast restart ${id}`, logs: `holdfast logs ${id}` },
  });
  const next = await world.ask("GET /api/tasks/{id}", { path: { id: task.id } });
  expect(next).toMatchObject({ before: id, after: [], duplicates: [] });

  await world.ask("POST /api/tasks/{id}/seen", { path: { id } });
  expect(await world.ask("GET /api/tasks/{id}", { path: { id } })).toMatchObject({
    row: { attention: null, notice: "consumed" },
    ledger: [{ state: "queued" }, { state: "consumed", by: "dashboard:anna", isStandIn: false }],
  });
});

test("POST /api/tasks/{id}/… sends, stops with a reason, keeps, mutes and removes", async () => {
  await using world = await dashboardWorld();
  const command = 'read -r x; echo "got $x"; exec sleep 300';
  const start = { kind: "command" as const, command, cwd: world.home.cwd, stdin: true };
  const { task } = await world.ask("POST /api/start", { body: start });
  const path = { id: task.id };
  await world.ask("POST /api/tasks/{id}/send", { path, body: { text: "word\n" } });
  await waitFor(async () => (await world.ask("GET /api/tasks/{id}/output", { path })).text === "got word\n");
  const { processes } = await world.ask("GET /api/tasks/{id}/processes", { path });
  expect(processes).toMatchObject([{ command: "sleep 300" }]);
  const refused = await world.request(`/api/tasks/${task.id}/remove`, { body: {} });
  expect(refused.status).toBe(409);
  const stopped = await world.ask("POST /api/tasks/{id}/stop", { path, body: { reason: "enough" } });
  expect(stopped.task).toMatchObject({
    status: "stopped",
    stoppedBy: "dashboard:anna",
    stopReason: "enough",
  });
  const kept = await world.ask("POST /api/tasks/{id}/retain", { path, body: { isRetained: true } });
  expect(kept.task.isRetained).toBe(true);
  expect((await world.ask("POST /api/tasks/{id}/mute", { path })).task.notice).toBe("muted");
  await world.ask("POST /api/tasks/{id}/remove", { path });
  expect((await world.request(`/api/tasks/${task.id}`)).status).toBe(404);
});

test("GET /api/tasks/{id}/output gives windows, matches and the file by ranges", async () => {
  await using world = await dashboardWorld();
  const id = await ended(world, "seq 1 5; echo oops >&2");
  const path = { id };
  expect(await world.ask("GET /api/tasks/{id}/output", { path, query: { from: 2, bytes: 4 } })).toEqual({
    stream: "stdout",
    from: 2,
    to: 6,
    isAtLineStart: true,
    text: "2\n3\n",
    bytes: 10,
    cutBytes: 0,
    isMissing: false,
  });
  const errors = await world.ask("GET /api/tasks/{id}/output", { path, query: { stream: "stderr" } });
  expect(errors.text).toBe("oops\n");
  const found = await world.request(`/api/tasks/${id}/output/find?q=[24]&isRegex=1`);
  const lines = (await found.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines[0]).toEqual({
    kind: "found",
    offsets: [
      [2, 1],
      [6, 1],
    ],
  });
  expect(lines.at(-1)).toMatchObject({ kind: "done", count: 2, totalBytes: 10 });

  const file = `/api/tasks/${id}/output/file`;
  const whole = await world.request(file);
  expect(whole.headers.get("content-disposition")).toContain(`${id}.stdout.txt`);
  expect(await whole.text()).toBe("1\n2\n3\n4\n5\n");
  const part = await world.request(file, { headers: { Range: "bytes=2-5" } });
  expect([part.status, part.headers.get("content-range")]).toEqual([206, "bytes 2-5/10"]);
  expect(await part.text()).toBe("2\n3\n");
  expect(await (await world.request(file, { headers: { Range: "bytes=-2" } })).text()).toBe("5\n");
  expect((await world.request(file, { headers: { Range: "bytes=10-" } })).status).toBe(416);
});

test("GET /api/tasks/{id} leads to the message that launched it", async () => {
  await using world = await dashboardWorld();
  const { cwd } = world.home;
  const session = threeQuestions({ cwd });
  session.write(world.home.configDir);
  const { sessionId } = session;
  const use = session.entries.find((entry) => JSON.stringify(entry).includes('"tool_use"'))!;
  const toolUseId = /"id":"(toolu_[^"]+)"/.exec(JSON.stringify(use))![1]!;
  const task = await world.runtime.tasks.start({ command: "true", cwd, sessionId, toolUseId });
  await world.runtime.tasks.wait(task, { timeoutMs: 30_000 });
  const { launch } = await world.ask("GET /api/tasks/{id}", { path: { id: task.record.id } });
  expect(launch).toMatchObject({ sessionId, toolUseId, uuid: use.uuid });
});
