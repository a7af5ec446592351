import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  isUser,
  openRuntime,
  textOf as textOfEntry,
  uuidOf,
  type ExportFacts,
  type HealthReport,
  type Runtime,
  type SessionRef,
} from "../../src/index.ts";
import { homeWithEdits, testHome, threeQuestions, type TestHome } from "../support/index.ts";

// What an embedder does: only public names, in one process, without the command line.

const open = ({ home, configDir, userHome }: TestHome): Runtime =>
  openRuntime({ home, configDir, env: { PATH: process.env["PATH"], HOME: userHome } });

interface OpenedSession {
  place: TestHome;
  runtime: Runtime;
  session: SessionRef;
}

async function openedSession(): Promise<OpenedSession> {
  const place = testHome();
  const { sessionId } = threeQuestions({ cwd: place.cwd }).write(place.configDir);
  const runtime = open(place);
  return { place, runtime, session: await runtime.sessions.find(sessionId) };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

const checkOf = ({ checks }: HealthReport, name: string): HealthReport["checks"][number] =>
  checks.find((each) => each.name === name) ?? expect.fail(`no check is called ${name}`);

describe("an embedder", () => {
  test("checks the health of a home, with suggestions as data, and repairs it", async () => {
    const { place, runtime, session } = await openedSession();
    fs.appendFileSync(session.path, '{"type":"user","torn');
    const found = await runtime.health.check({ cwd: place.cwd, isFull: true });
    expect(checkOf(found, "torn-lines")).toMatchObject({
      status: "fail",
      suggestion: { verb: "doctor", options: { repair: true } },
      findings: [{ path: session.path, sessionId: session.sessionId }],
    });
    expect(checkOf(found, "hooks")).toMatchObject({ suggestion: { verb: "plugin install" } });
    expect(checkOf(found, "agent-types")).toMatchObject({ group: "environment", status: "ok" });
    const done = await runtime.health.repair(found.repairs);
    expect(done).toMatchObject({ repaired: [{ path: session.path }], failed: [] });
    expect(fs.existsSync(done.backup ?? "")).toBe(true);
    const after = await runtime.health.check({ cwd: place.cwd, isFull: true });
    expect({ ...checkOf(after, "torn-lines") }).toMatchObject({ status: "ok" });
    expect(after.repairs).toEqual([]);
  });

  test("writes, reads, follows and changes sessions", async () => {
    const { place, runtime, session } = await openedSession();
    const { sessions } = runtime;
    const { cwd } = place;
    const writer = await sessions.openWriter({ cwd, sessionId: session.sessionId });
    await expect(sessions.openWriter({ cwd, sessionId: session.sessionId })).rejects.toMatchObject({
      code: "conflict",
    });
    const uuid = await writer.append({ type: "user", message: { role: "user", content: "The last one" } });
    await writer.close();
    const entry = await sessions.entry(session, uuid);
    expect(isUser(entry) && textOfEntry(entry)).toBe("The last one");
    expect((await sessions.ancestry(session, uuid)).at(-1)).toEqual(entry);
    const conversation = await sessions.conversation(session);
    expect([...conversation.entries()].at(-1)).toEqual(entry);
    conversation.close();
    const stop = new AbortController();
    for await (const event of sessions.follow(session, { signal: stop.signal }))
      if (event.kind === "entry" && uuidOf(event.entry) === uuid) stop.abort();
    let lines = 0;
    for await (const line of sessions.stream(session, { types: ["user"] })) if ("entry" in line) lines++;
    expect(await sessions.counts(session)).toMatchObject({ user: lines });
    expect([await sessions.compactions(session), await sessions.agents(session)]).toEqual([[], []]);
    expect(await sessions.usage(session)).toMatchObject({ byModel: expect.any(Object) as object });

    await sessions.tag(session, "kept");
    await sessions.rename(session, "Old");
    const { session: fork } = await sessions.fork(session, { at: uuid, title: "New" });
    expect((await sessions.list()).map(({ title = "" }) => title).sort()).toEqual(["New", "Old"]);
    const elsewhere = path.join(place.userHome, "elsewhere");
    fs.mkdirSync(elsewhere);
    const moved = await sessions.move(fork, elsewhere);
    expect(await sessions.list({ cwd: elsewhere })).toMatchObject([{ sessionId: fork.sessionId }]);
    await sessions.trash(moved);
    expect(await sessions.listTrash()).toMatchObject([{ sessionId: fork.sessionId }]);
    expect(await sessions.restore(fork.sessionId)).toMatchObject({ path: moved.path });
    expect(await sessions.summary(moved)).toMatchObject({ title: "New" });
    using _ = await sessions.attend(session.sessionId);
    await expect(sessions.attend(session.sessionId)).rejects.toMatchObject({ code: "conflict" });
  });

  test("asks what runs and what was lost, and what everything cost", async () => {
    const { place, runtime } = await openedSession();
    await using _ = runtime;
    const task = await runtime.tasks.start({ command: "exec sleep 600", cwd: place.cwd });
    const { running } = await runtime.recover({ cwd: place.cwd });
    expect(running).toMatchObject([{ id: task.record.id }]);
    await runtime.tasks.stop(task, { by: "test" });
    expect(await runtime.recover({ cwd: place.cwd, onlyRecorded: true })).toMatchObject({ running: [] });
    expect((await runtime.usage({ by: "session" })).rows).toHaveLength(1);
  });

  test("exports a session in every format, without secrets unless it asks for them", async () => {
    const { place, runtime } = await openedSession();
    // In parts, so that nobody's scanner takes this file for a leak.
    const token = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
    const secret = threeQuestions({ cwd: place.cwd, seed: "secret" });
    secret.prompt(`Use ${token}`);
    const session = await runtime.sessions.find(secret.write(place.configDir).sessionId);
    const facts: ExportFacts[] = [];
    const onDone = (each: ExportFacts): unknown => facts.push(each);
    expect(await textOf(runtime.export(session, { onDone }))).toMatch(
      /second answer[\s\S]*\[redacted github\]/,
    );
    expect(await textOf(runtime.export(session, { format: "html" }))).toMatch(/^<!doctype html>/i);
    const json = await textOf(runtime.export(session, { format: "json", redact: false, onDone }));
    expect(JSON.parse(json)).toMatchObject({ schemaVersion: 1, sessionId: session.sessionId });
    expect(json).toContain(token);
    expect(facts.map(({ redacted }) => redacted)).toEqual([1, 0]);
  });

  test("reads to-dos, looks at changed files, and puts them back", async () => {
    const { home, sessionId, prompt, edited, made } = homeWithEdits();
    const { sessions } = open(home);
    const session = await sessions.find(sessionId);
    expect(await sessions.todos(session)).toEqual({ lists: [], problems: [] });
    expect((await sessions.files(session)).snapshots).toMatchObject([{ messageId: prompt }]);
    expect(await sessions.diffFiles(session)).toMatchObject([{ kind: "changed" }, { kind: "changed" }]);
    const plan = await sessions.undoFiles(session, { dryRun: true });
    expect(plan.changes.map(({ kind }) => kind)).toEqual(["restore", "remove"]);
    const { keptIn = "" } = await sessions.undoFiles(session, { to: prompt });
    expect([fs.readFileSync(edited, "utf8"), fs.existsSync(made)]).toEqual(["old\n", false]);
    expect(fs.existsSync(keptIn)).toBe(true);
    expect(await sessions.diffFiles(session)).toMatchObject([{ kind: "same" }, { kind: "same" }]);
  });

  test("a session without snapshots has nothing to compare", async () => {
    const { runtime, session } = await openedSession();
    await expect(runtime.sessions.diffFiles(session)).rejects.toMatchObject({ code: "companion_not_found" });
  });

  test("asks what the index holds, before and after it is made", async () => {
    const { runtime } = await openedSession();
    const before = await runtime.indexState();
    expect(before).toMatchObject({ files: 0, documents: 0 });
    await runtime.updateIndex();
    expect(await runtime.indexState()).toMatchObject({ files: 1, missingBytes: 0 });
    const { hits } = await runtime.search("second");
    expect(hits.length).toBeGreaterThan(0);
  });

  test("archives a session and brings it back; the guard keeps what the client would delete", async () => {
    const { runtime, session } = await openedSession();
    const { sessions } = runtime;
    const archive = await sessions.openArchive();
    try {
      const { archived } = await archive.add([session]);
      expect(archived).toMatchObject([{ sessionId: session.sessionId }]);
      await expect(sessions.todos(await sessions.find(session.sessionId))).rejects.toMatchObject({
        code: "session_archived",
      });
      archive.restore(session.sessionId);
    } finally {
      archive.close();
    }
    const { chosen } = await sessions.archive({ olderThanMs: 0, dryRun: true });
    expect(chosen).toMatchObject([{ sessionId: session.sessionId }]);
    const old = Date.now() / 1000 - 25 * 86_400;
    fs.utimesSync(session.path, old, old);
    expect(await sessions.keep()).toEqual({ isOn: false });
    expect(await sessions.keep({ turn: "on" })).toMatchObject({
      isOn: true,
      kept: [{ sessionId: session.sessionId }],
    });
    expect(await sessions.keep()).toMatchObject({ kept: [] });
    expect(await sessions.keep({ turn: "off" })).toEqual({ isOn: false });
  });

  test("puts the hooks into the client's settings, and takes them out again", async () => {
    const { place, runtime } = await openedSession();
    const settings = path.join(place.configDir, "settings.json");
    fs.writeFileSync(settings, '{"model":"opus"}');
    expect(await runtime.plugin.status()).toEqual({ isInstalled: false, settings });
    expect(await runtime.plugin.install()).toMatchObject({ status: "installed" });
    expect(await runtime.plugin.status()).toMatchObject({ isInstalled: true });
    expect(JSON.parse(fs.readFileSync(settings, "utf8"))).toEqual({
      model: "opus",
      hooks: await runtime.plugin.hooks(),
    });
    expect(await runtime.plugin.uninstall()).toMatchObject({ status: "removed" });
    expect(fs.readFileSync(settings, "utf8")).toBe('{"model":"opus"}');
    fs.writeFileSync(settings, "{");
    await expect(runtime.plugin.install()).rejects.toMatchObject({ code: "settings_invalid" });
  });

  test("briefs a session once on what ended, and again after a compaction", async () => {
    const { place, runtime, session } = await openedSession();
    await using _ = runtime;
    const { cwd } = place;
    const { sessionId } = session;
    const task = await runtime.tasks.start({ command: "echo done; exit 3", cwd, sessionId });
    await runtime.tasks.wait(task);
    const preview = await runtime.brief({ cwd, sessionId, isPreview: true });
    expect(preview?.text).toContain("exit code 3");
    const brief = await runtime.brief({ cwd, sessionId });
    expect(brief?.told).toMatchObject([{ id: task.record.id, status: "failed", exitCode: 3 }]);
    expect(await runtime.brief({ cwd, sessionId })).toBeUndefined();
    expect(await runtime.tasks.notices({ sessionId })).toEqual([]);
    const again = await runtime.brief({ cwd, sessionId, afterCompaction: true });
    expect(again).toMatchObject({ told: [], text: expect.stringContaining("reported before") as string });
    await expect(runtime.brief({ cwd: undefined, sessionId })).rejects.toThrow(RangeError);
  });

  test("prunes ended tasks and the trash together", async () => {
    const { place, runtime, session } = await openedSession();
    await using _ = runtime;
    const task = await runtime.tasks.start({ command: "true", cwd: place.cwd });
    await runtime.tasks.wait(task);
    await runtime.sessions.trash(session);
    expect(await runtime.prune({ olderThanMs: -1000, dryRun: true })).toMatchObject({ tasks: [] });
    const planned = await runtime.prune({ olderThanMs: -1000, withUntold: true, dryRun: true });
    expect(planned).toMatchObject({ tasks: [{ id: task.record.id }], kept: [{ area: "trash" }] });
    expect(await runtime.prune({ olderThanMs: -1000, withUntold: true })).toEqual(planned);
    expect(await runtime.tasks.list({ all: true })).toEqual([]);
  });
});
