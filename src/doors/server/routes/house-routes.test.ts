import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome } from "../../../../test/support/index.ts";
import { dashboardClient } from "../../../../test/support/dashboard-client.ts";

describe("routes of the house", () => {
  test("search and count what all sessions hold", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd }).write(home.configDir);
    await using client = await dashboardClient(home);
    const { hits } = (await client.get("/api/search?q=parser&limit=1&role=user")).body;
    expect(hits).toMatchObject([{ sessionId, title: "Fix the parser", role: "user" }]);
    expect(await client.get("/api/search?q=(&isRegex=true")).toMatchObject({
      status: 400,
      body: { error: { code: "query_invalid" } },
    });
    expect(await client.get("/api/search?q=x&since=yesterday")).toMatchObject({ status: 400 });
    const { rows, by } = (await client.get("/api/usage?by=session&since=2026-03-01")).body;
    expect(by).toBe("session");
    expect(rows).toMatchObject([{ key: sessionId }]);
    expect((await client.get("/api/usage?by=day&since=2030-01-01")).body.rows).toEqual([]);
    expect(await client.get("/api/usage?by=moon")).toMatchObject({ status: 400 });
  });

  test("recover names what can be done about each piece of work, with its command line", async () => {
    const home = testHome();
    await using client = await dashboardClient(home);
    const task = await client.runtime.tasks.start({ command: "exit 3", cwd: home.cwd });
    await client.runtime.tasks.wait(task);
    const { id } = task.record;
    const { finishedUnseen } = (await client.get(`/api/recover?cwd=${encodeURIComponent(home.cwd)}`)).body;
    expect(finishedUnseen).toMatchObject([
      { id, actions: [{ command: `holdfast restart ${id}` }, { command: `holdfast output ${id}` }] },
    ]);
  });

  test("doctor, fleet and settings say what is so, and how it is changed", async () => {
    const home = testHome();
    await using client = await dashboardClient(home);
    const doctor = (await client.get("/api/doctor")).body;
    expect(doctor.checks.length).toBeGreaterThan(5);
    for (const { next } of doctor.checks) expect(next?.command ?? "none").toMatch(/^\S+/);
    expect((await client.post("/api/doctor/repair")).body).toEqual({ repaired: [], failed: [] });
    expect((await client.get("/api/fleet")).body).toMatchObject({
      isKnown: false,
      setUp: { command: "holdfast fleet up" },
    });
    const changed = (await client.post("/api/settings", { key: "permission", value: "rules" })).body;
    const permission = changed.settings.find(({ key }: { key: string }) => key === "permission");
    expect(permission).toMatchObject({
      value: "rules",
      from: { kind: "file" },
      form: { type: "string", choices: ["deny", "ask", "rules", "allow"] },
      command: "holdfast config set permission rules",
    });
    expect(await client.post("/api/settings", { key: "permission", value: "all" })).toMatchObject({
      status: 400,
      body: { error: { code: "setting_invalid" } },
    });
    await client.post("/api/settings", { key: "permission", value: null });
    const { settings } = (await client.get("/api/settings")).body;
    expect(settings.find(({ key }: { key: string }) => key === "permission").value).toBe("ask");
  });

  test("fleet says that servers do not answer", async () => {
    const home = testHome();
    await using client = await dashboardClient(home, { HOLDFAST_NATS_URL: "nats://127.0.0.1:1" });
    expect((await client.get("/api/fleet")).body).toEqual({
      isKnown: true,
      error: expect.stringContaining("127.0.0.1:1") as string,
    });
  });

  test("offer the folders that a path begins", async () => {
    const home = testHome();
    for (const name of ["one", "only", "two", ".hidden"]) fs.mkdirSync(path.join(home.cwd, name));
    fs.writeFileSync(path.join(home.cwd, "once"), "");
    await using client = await dashboardClient(home);
    const typed = async (text: string): Promise<string[]> =>
      (await client.get(`/api/folders?typed=${encodeURIComponent(text)}`)).body.folders;
    expect(await typed(`${home.cwd}/on`)).toEqual(["one", "only"].map((name) => path.join(home.cwd, name)));
    expect(await typed(`${home.cwd}/`)).toHaveLength(3);
    expect(await typed(`${home.cwd}/.h`)).toHaveLength(1);
    expect(await typed("/nonexistent/x")).toEqual([]);
    expect((await client.get("/api/folders?typed=%00")).status).toBe(400);
  });

  test("review what a task changed: the difference, and comments as one message", async () => {
    const home = testHome();
    await using client = await dashboardClient(home);
    const task = await client.runtime.tasks.start({ command: "true", cwd: home.cwd });
    await client.runtime.tasks.wait(task);
    const at = `/api/tasks/${task.record.id}`;
    expect((await client.get(`${at}/diff`)).body).toMatchObject({ from: null, files: [] });
    const comments = [{ path: "a.ts", line: 1, text: "Why?" }];
    expect(await client.post(`${at}/review`, { comments })).toMatchObject({
      status: 409,
      body: { error: { code: "task_refused" } },
    });
    expect((await client.get("/api/tasks/none/diff")).status).toBe(404);
  });
});
