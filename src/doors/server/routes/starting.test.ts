import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { waitFor } from "../../../../test/support/index.ts";
import { dashboardWorld } from "../../../../test/support/dashboard-world.ts";

test("POST /api/demo starts tasks that show everything; an answer lets its agent go on, and the second is told who was faster", async () => {
  await using world = await dashboardWorld();
  const { tasks } = await world.ask("POST /api/demo");
  expect(tasks.map((task) => task.kind)).toEqual(["local_bash", "local_bash", "local_agent"]);
  const question = await waitFor(async () => (await world.ask("GET /api/questions")).questions[0]);
  expect(question).toMatchObject({
    taskId: tasks[2]!.id,
    tool: "Bash",
    isCut: false,
    alwaysRule: expect.stringMatching(/^Bash\(printf/) as string,
    lines: [{ kind: "command" }],
  });
  const now = await world.ask("GET /api/now");
  expect(now.counts.needsYou).toBe(1);
  expect(now.needsYou).toMatchObject([
    { task: { id: question.taskId }, question: { requestId: question.requestId } },
  ]);
  expect(now.found).toEqual({ sessions: 1, projects: 1 });

  const asking = { id: question.taskId };
  const body = { requestId: question.requestId, behavior: "allow" };
  const first = await world.ask("POST /api/tasks/{id}/answer", { path: asking, body });
  expect(first).toMatchObject({ behavior: "allow", by: "dashboard:anna", isYours: true, isAlways: false });
  const late = { requestId: question.requestId, behavior: "deny", message: "No" };
  const second = await world.ask("POST /api/tasks/{id}/answer", { path: asking, body: late });
  expect(second).toEqual({ ...first, isYours: false });
  const wrong = await world.request(`/api/tasks/${asking.id}/answer`, {
    body: { ...body, requestId: "other" },
  });
  expect(wrong.status).toBe(409);
  await waitFor(async () => {
    const { row } = await world.ask("GET /api/tasks/{id}", { path: asking });
    return row.status === "completed";
  });
  const card = await world.ask("GET /api/tasks/{id}", { path: asking });
  expect(card).toMatchObject({
    cost: { models: [{ model: "demo" }] },
    commands: { resume: `holdfast resume ${asking.id}` },
  });
});

test("POST /api/start runs a command in a worktree of its own, on a branch of its own", async () => {
  await using world = await dashboardWorld();
  const { cwd } = world.home;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd, encoding: "utf8" });
  git("init", "-q");
  fs.writeFileSync(path.join(cwd, "a.txt"), "a\n");
  git("add", ".");
  git("commit", "-qm", "one");
  const body = { kind: "command", command: "git branch --show-current; cat a.txt", cwd, worktree: true };
  const { task } = await world.ask("POST /api/start", { body });
  expect(task.cwd).not.toBe(cwd);
  await world.runtime.tasks.wait(task.id, { timeoutMs: 30_000 });
  const { text } = await world.ask("GET /api/tasks/{id}/output", { path: { id: task.id } });
  expect(text).toMatch(/^holdfast\/[0-9a-f]{8}\na\n$/);
  const refused = await world.request("/api/start", { body: { ...body, cwd: world.home.userHome } });
  expect(await refused.json()).toMatchObject({
    error: { code: "task_refused", message: expect.stringContaining("not a git repository") as string },
  });
});

test("GET /api/start says what there is to choose from in a folder", async () => {
  await using world = await dashboardWorld({ env: { ANTHROPIC_API_KEY: "key" } });
  const choices = await world.ask("GET /api/start", { query: { cwd: world.home.cwd } });
  expect(choices).toMatchObject({
    cwd: world.home.cwd,
    permission: "ask",
    isGit: false,
    fleet: false,
    folders: [],
  });
  expect(choices.agents[0]).toEqual({ name: "anthropic", isFound: true, isDefault: true });
  expect(choices.types.map(({ name }) => name)).toContain("Explore");
});
