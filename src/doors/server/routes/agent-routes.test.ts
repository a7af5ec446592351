import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { startMessagesServer, testHome, threeQuestions, waitFor } from "../../../../test/support/index.ts";
import { dashboardClient } from "../../../../test/support/dashboard-client.ts";
import { writeScript } from "../../../../test/support/agent-script.ts";

test("comments on what an agent changed reach it: while it runs as a message, then as what it goes on with", async () => {
  const home = testHome();
  await using client = await dashboardClient(home);
  const { agents, tasks } = client.runtime;
  const runner = writeScript(home, [{ text: "Waiting." }, { hear: true }, { end: true }, { text: "Again." }]);
  const task = await agents.start({ prompt: "Work", cwd: home.cwd, runner, permission: "allow" });
  const { id } = task.record;
  await waitFor(async () => (await agents.progress(id))?.activities !== undefined);
  const comments = [{ path: "a.ts", line: 3, quote: "let x;", text: "Make it const." }];
  const sent = await client.post(`/api/tasks/${id}/review`, { comments, text: "Nearly." });
  expect(sent).toMatchObject({ status: 200, body: { sent: "message", task: { id } } });
  await tasks.wait(id);
  const heard = (await client.get(`/api/sessions/${task.record.agent!.transcript.sessionId}/rows`)).body;
  expect(JSON.stringify(heard)).toContain("Make it const.");
  const more = (
    await client.post(`/api/tasks/${id}/review`, { comments: [{ path: "b.ts", text: "And this." }] })
  ).body;
  expect(more.sent).toBe("continued");
  expect(more.task.id).not.toBe(id);
  await tasks.wait(more.task.id as string);
  expect(await client.post(`/api/tasks/${id}/review`, { comments: [] })).toMatchObject({ status: 409 });
});

test("the difference of an agent's folder has what it changed, and no more", async () => {
  const home = testHome();
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], {
      cwd: home.cwd,
    });
  git("init", "--quiet");
  fs.writeFileSync(path.join(home.cwd, "a.txt"), "one\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "first");
  await using client = await dashboardClient(home);
  const task = await client.runtime.tasks.start({
    command: "echo two >> a.txt; echo new > b.txt",
    cwd: home.cwd,
  });
  await client.runtime.tasks.wait(task);
  const { files } = (await client.get(`/api/tasks/${task.record.id}/diff`)).body;
  expect(files).toMatchObject([
    { path: "a.txt", kind: "changed", added: 1, removed: 0 },
    { path: "b.txt", kind: "changed", added: 1, removed: 0 },
  ]);
});

test("a session is asked something in the background, and the answer is shown in it", async () => {
  await using server = await startMessagesServer("Forty-two.");
  const home = testHome();
  const { sessionId } = threeQuestions({ cwd: home.cwd }).write(home.configDir);
  await using client = await dashboardClient(home, {
    ANTHROPIC_API_KEY: "key",
    ANTHROPIC_BASE_URL: server.url,
  });
  const at = `/api/sessions/${sessionId}`;
  const before = (await client.get(at)).body;
  // While somebody else writes the session, the answer is owed to it.
  const writer = await client.runtime.sessions.openWriter({ sessionId, cwd: home.cwd });
  const asked = await client.post(`${at}/ask`, { prompt: "And the sum?", agent: "anthropic" });
  expect(asked.status).toBe(200);
  await client.runtime.tasks.wait(asked.body.task.id as string);
  const { rows, total, generation } = (await client.get(`${at}/rows`)).body;
  expect(total).toBe(before.rows + 2);
  expect(generation).toBe(before.generation);
  expect(rows.slice(-2)).toMatchObject([
    { offset: null, items: [{ kind: "prompt", said: { text: "And the sum?" } }] },
    { offset: null, items: [{ kind: "answer", said: { text: "Forty-two." } }] },
  ]);
  const found = await (await client.fetch(`${at}/find?q=forty-two`)).text();
  expect(found).toContain(`"row":${before.rows + 1}`);
  const end = (await client.get(`${at}/end?limit=2`)).body;
  expect(end.rows.map(({ uuid }: { uuid: string }) => uuid)).toEqual(
    rows.slice(-2).map(({ uuid }: { uuid: string }) => uuid),
  );
  await client.runtime.sessions.settle(writer);
  await writer.close();
  const settled = (await client.get(`${at}/rows`)).body;
  expect(settled).toMatchObject({ total, generation });
  expect(settled.rows.map(({ items }: { items: unknown }) => items)).toEqual(
    rows.map(({ items }: { items: unknown }) => items),
  );
});
