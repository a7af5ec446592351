import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  homeWithEdits,
  sampleSession,
  testHome,
  threeQuestions,
  TranscriptBuilder,
  waitFor,
  type TestHome,
} from "../../../test/support/index.ts";
import { openRuntime, type Runtime } from "../open-runtime.ts";

const address = { path: "/api/sessions/s", query: "" };

function open(home: TestHome): Runtime {
  return openRuntime({ home: home.home, configDir: home.configDir, env: { ...process.env } });
}

describe("aside", () => {
  test("lists sessions by words, tag and project, in parts, with how many there are", async () => {
    const home = testHome();
    for (let count = 0; count < 5; count++)
      threeQuestions({ seed: `s${count}`, cwd: home.cwd }).write(home.configDir);
    const tagged = sampleSession({ seed: "tagged", cwd: "/elsewhere" });
    tagged.meta("tag", { tag: "release" });
    const { sessionId, projectKey: project } = tagged.write(home.configDir);
    await using runtime = open(home);
    const { aside } = runtime;
    const all = await aside.ask("sessions", { limit: 2 });
    expect(all).toMatchObject({ from: 0, total: 6 });
    expect(all.sessions).toHaveLength(2);
    const rest = await aside.ask("sessions", { from: 2, limit: 10 });
    expect(rest).toMatchObject({ from: 2, total: 6 });
    const ids = [...all.sessions, ...rest.sessions].map((each) => each.sessionId);
    const filtered = await aside.ask("sessions", { q: "" });
    expect(ids.sort()).toEqual(filtered.sessions.map((each) => each.sessionId).sort());
    for (const asked of [{ tag: "release" }, { q: "parser FIX" }, { project }, { cwd: "/elsewhere" }])
      expect(await aside.ask("sessions", asked)).toMatchObject({ total: 1, sessions: [{ sessionId }] });
    expect(await aside.ask("sessions", { archived: true })).toMatchObject({ total: 0 });
    expect(await aside.ask("projects", {})).toEqual(
      expect.arrayContaining([expect.objectContaining({ project, cwd: "/elsewhere", sessions: 1 })]),
    );
  });

  test("lists at once, and says how many messages sessions have once they are counted", async () => {
    const home = testHome();
    threeQuestions({ cwd: home.cwd }).write(home.configDir);
    await using runtime = open(home);
    const count = async (): Promise<number | null> =>
      (await runtime.aside.ask("sessions", {})).sessions[0]!.messageCount;
    expect(await count()).toBeNull();
    await waitFor(async () => (await count()) === 8);
    expect((await runtime.aside.ask("sessions", { counts: false })).sessions[0]?.messageCount).toBeNull();
  });

  test("reads a conversation: header, rows, end, digest, find, changes", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd });
    const { sessionId, path: file } = session.write(home.configDir);
    await using runtime = open(home);
    const { aside } = runtime;
    const asked = { session: sessionId };
    const header = await aside.ask("header", asked);
    expect(header).toMatchObject({
      session: { sessionId },
      agentId: null,
      view: "whole",
      compactions: [{ trigger: "auto" }],
      isOpen: false,
      tasks: [],
      rejections: { total: 0 },
    });
    const rows = await aside.ask("rows", { ...asked, address });
    expect(rows.total).toBe(header.rows);
    expect(rows.rows[header.contextFrom]?.items[0]).toMatchObject({ kind: "compaction" });
    const end = await aside.ask("end", { ...asked, address, limit: 2 });
    expect(end.rows.map(({ uuid }) => uuid)).toEqual(rows.rows.slice(-2).map(({ uuid }) => uuid));
    const context = await aside.ask("rows", { ...asked, view: "context", address });
    expect(context.total).toBeLessThan(rows.total!);
    expect(await aside.ask("digest", asked)).toMatchObject({ agents: [expect.any(Number)], failures: [] });
    const found = [];
    for await (const line of aside.open("find", { ...asked, q: "parser" })) found.push(line);
    expect(found.at(-1)).toMatchObject({ kind: "done", count: 2 });
    session.prompt("More");
    fs.writeFileSync(file, session.jsonl());
    const changes = { ...asked, address, generation: header.generation, total: header.rows };
    expect(await aside.ask("changes", changes)).toMatchObject({
      total: header.rows + 1,
      rows: [{ items: [{ said: { text: "More" } }] }],
    });
    expect(await aside.ask("changes", { ...changes, generation: "another" })).toMatchObject({ rows: [] });
  });

  test("reads the transcript of a sub-agent, and says whose it is", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd }).write(home.configDir);
    await using runtime = open(home);
    const [agent] = await runtime.aside.ask("agents", { session: sessionId });
    expect(agent).toMatchObject({ description: expect.any(String), hasTranscript: true, taskId: null });
    const { rows } = await runtime.aside.ask("rows", { session: sessionId, agent: agent!.agentId, address });
    expect(rows.at(-1)?.items).toMatchObject([{ kind: "answer", said: { text: "One caller: src/a.ts" } }]);
    await expect(
      runtime.aside.ask("rows", { session: sessionId, agent: "../../x", address }),
    ).rejects.toMatchObject({ code: "session_not_found" });
  });

  test.each(["../x", "/etc/passwd", "..", "a/b", "", "x\0y"])(
    "takes %j for no session, whatever stands there",
    async (session) => {
      const home = testHome();
      fs.mkdirSync(path.join(home.configDir, "projects"), { recursive: true });
      fs.writeFileSync(path.join(home.configDir, "x.jsonl"), threeQuestions().jsonl());
      await using runtime = open(home);
      for (const project of [undefined, "..", "."])
        await expect(runtime.aside.ask("header", { session, project })).rejects.toMatchObject({
          code: "session_not_found",
        });
    },
  );

  test("keeps the codes and facts of errors", async () => {
    const home = testHome();
    const one = threeQuestions({ cwd: "/a" }).write(home.configDir);
    const two = threeQuestions({ cwd: "/b" }).write(home.configDir);
    await using runtime = open(home);
    const { sessionId } = one;
    await expect(runtime.aside.ask("header", { session: sessionId })).rejects.toMatchObject({
      code: "session_ambiguous",
      fields: { candidates: [{ project: one.projectKey }, { project: two.projectKey }] },
    });
    const named = await runtime.aside.ask("header", { session: sessionId, project: two.projectKey });
    expect(named.session.cwd).toBe("/b");
  });

  test("changes sessions: fork, rename, tag, move, trash and archive, and back", async () => {
    const home = testHome();
    const { sessionId: session } = threeQuestions({ cwd: home.cwd }).write(home.configDir);
    await using runtime = open(home);
    const { aside } = runtime;
    const { session: forked, entries } = await aside.ask("fork", { session, title: "Plan B" });
    expect(forked).toMatchObject({ title: "Plan B" });
    expect(entries).toBe(8);
    expect(await aside.ask("rename", { session, title: "Plan A" })).toMatchObject({ title: "Plan A" });
    expect(await aside.ask("tag", { session, tag: "x" })).toMatchObject({ tag: "x" });
    expect(await aside.ask("tag", { session, tag: null })).toMatchObject({ tag: null });
    const other = path.join(home.cwd, "other");
    fs.mkdirSync(other);
    const moved = await aside.ask("move", { session, cwd: other });
    expect(moved.project).toMatch(/other$/);
    expect(await aside.ask("trash", { session })).toMatchObject({ sessionId: session, title: "Plan A" });
    expect(await aside.ask("trashed", {})).toMatchObject([{ sessionId: session }]);
    await expect(aside.ask("restore", { session: session.slice(0, 8), from: "trash" })).rejects.toMatchObject(
      { code: "trash_not_found" },
    );
    await aside.ask("restore", { session, from: "trash" });
    expect(await aside.ask("archive", { session })).toMatchObject({ archived: true });
    // What is in the archive can be read as before.
    expect(await aside.ask("header", { session })).toMatchObject({ session: { archived: true }, rows: 7 });
    expect(await aside.ask("restore", { session, from: "archive" })).toMatchObject({ archived: false });
  });

  test("reads what belongs to a session: to-dos, files, their difference, and undoes it", async () => {
    const edited = homeWithEdits();
    await using runtime = open(edited.home);
    const { aside } = runtime;
    const session = edited.sessionId;
    const { turns } = await aside.ask("files", { session });
    expect(turns.length).toBeGreaterThan(0);
    const review = await aside.ask("diff", { session });
    expect(review.from).toBe(turns[0]!.messageId);
    expect(review.turns).toMatchObject([{ messageId: edited.prompt, prompt: "Change it" }]);
    expect(review.files.length).toBeGreaterThan(0);
    expect(review.files.reduce((sum, { added, removed }) => sum + added + removed, 0)).toBeGreaterThan(0);
    expect(await aside.ask("todos", { session })).toMatchObject({ problems: [] });
    const dry = await aside.ask("undo", { session, dryRun: true });
    expect(dry).toMatchObject({ keptIn: null });
    const done = await aside.ask("undo", { session, dryRun: false });
    expect(done.changes).toEqual(dry.changes);
    expect(done.keptIn).not.toBeNull();
  });

  test("finds and counts: search with titles, usage, cost, recover, check", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd }).write(home.configDir);
    await using runtime = open(home);
    const { aside } = runtime;
    const found = await aside.ask("search", { q: "parser" });
    expect(found.hits).toHaveLength(found.total);
    for (const hit of found.hits) expect(hit).toMatchObject({ sessionId, title: "Fix the parser" });
    await expect(aside.ask("search", { q: "(", isRegex: true })).rejects.toMatchObject({
      code: "query_invalid",
    });
    const usage = await aside.ask("usage", { by: "model" });
    const cost = await aside.ask("cost", { session: sessionId });
    expect(cost.costUsd).toBe(usage.totals.costUsd);
    expect(cost.contextTokens).toBe(3130);
    expect(cost.models.map(({ model }) => model)).toEqual(usage.rows.map(({ key }) => key));
    expect(await aside.ask("recover", { cwd: home.cwd })).toMatchObject({ running: [], lost: [] });
    const health = await aside.ask("check", { cwd: home.cwd });
    expect(health.checks.length).toBeGreaterThan(5);
  });

  test("exports a conversation piece by piece", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd }).write(home.configDir);
    await using runtime = open(home);
    let text = "";
    for await (const piece of runtime.aside.open("export", { session: sessionId, format: "md" }))
      text += piece;
    expect(text).toContain("# Fix the parser");
  });

  test("makes no more pieces than are taken, and gives up what nobody reads", async () => {
    const home = testHome();
    const session = new TranscriptBuilder({ cwd: home.cwd });
    for (let count = 0; count < 3000; count++) session.prompt(`needle ${count}`);
    const { sessionId } = session.write(home.configDir);
    await using runtime = open(home);
    for (let round = 0; round < 3; round++) {
      for await (const line of runtime.aside.open("find", { session: sessionId, q: "needle" })) {
        expect(line).toMatchObject({ kind: "found", row: 0 });
        break;
      }
    }
    const given = new AbortController();
    const asking = runtime.aside.ask("search", { q: "needle" }, { signal: given.signal });
    given.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
    // The thread still answers.
    expect((await runtime.aside.ask("header", { session: sessionId })).rows).toBe(3000);
  });

  test("answers again after it was closed", async () => {
    const home = testHome();
    threeQuestions({ cwd: home.cwd }).write(home.configDir);
    await using runtime = open(home);
    const pending = runtime.aside.ask("sessions", {});
    await runtime.aside.close();
    await pending.catch(() => {});
    expect(await runtime.aside.ask("sessions", {})).toMatchObject({ total: 1 });
  });
});
