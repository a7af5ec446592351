import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { TranscriptBuilder, waitFor } from "../support/index.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

interface ArchiveAnswer {
  archive: { sessionId: string; isLive: boolean; storedBytes: number; path: string; pack: string }[];
  archived: { sessionId: string }[];
  skipped: { sessionId: string; reason: string }[];
  sessions: { sessionId: string; archived: boolean }[];
  kept: { sessionId: string }[];
  keep: boolean;
}

async function ask(args: string[], options: Parameters<typeof runJson>[1]): Promise<ArchiveAnswer> {
  const { json } = await runJson(args, options);
  return json as unknown as ArchiveAnswer;
}

/** The processes whose folder this is. */
function processesIn(dir: string): string[] {
  const isIn = (pid: string): boolean => {
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(dir);
    } catch {
      return false;
    }
  };
  return fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isIn(name));
}

describe("holdfast archive", () => {
  test("packs a session that is still listed, shown and exported, and puts it back", async () => {
    const { home, session } = homeWithSession();
    const id = session.sessionId.slice(0, 8);
    const bytes = fs.readFileSync(session.path);
    const shown = await run(["show", id], { home });
    const raw = await run(["show", id, "--raw"], { home });
    const exported = await run(["export", id], { home });

    const archived = await run(["archive", id], { home });
    expect(archived).toMatchObject({ code: 0, stdout: "" });
    expect(fs.existsSync(session.path)).toBe(false);
    expect(await run(["show", id], { home })).toEqual(shown);
    expect(await run(["show", id, "--raw"], { home })).toEqual(raw);
    expect(await run(["export", id], { home })).toEqual(exported);
    expect(await ask(["sessions"], { home })).toMatchObject({
      sessions: [{ sessionId: session.sessionId, archived: true }],
    });
    // The path that is told is taken for the session, though it is no file.
    const { archive } = await ask(["archive", "list"], { home });
    expect(await run(["show", archive[0]!.path], { home })).toEqual(shown);
    expect((await run(["sessions"], { home })).stdout).toContain("(archived) Fix the parser");
    expect((await run(["archive", "list"], { home, env: { COLUMNS: "60" } })).stdout).toContain(
      "Fix the parser",
    );

    const undo = /Undo: holdfast (.*)\n/.exec(archived.stderr)?.[1] ?? "";
    expect(await run(undo.split(" "), { home })).toMatchObject({ code: 0 });
    expect(fs.readFileSync(session.path).equals(bytes)).toBe(true);
    expect((await run(["archive", "list"], { home })).stderr).toContain("The archive is empty.");
  });

  test("chooses by age, passes over what is open, and shows before it does", async () => {
    const { home, session } = homeWithSession();
    const old = new TranscriptBuilder({ cwd: home.cwd, seed: "old", startedAt: "2020-01-01T00:00:00.000Z" });
    old.prompt("An old question");
    old.write(home.configDir);
    const open = new TranscriptBuilder({
      cwd: home.cwd,
      seed: "open",
      startedAt: "2020-01-01T00:00:00.000Z",
    });
    open.prompt("An open one");
    open.write(home.configDir);
    fs.mkdirSync(path.join(home.configDir, "sessions"));
    fs.writeFileSync(
      path.join(home.configDir, "sessions", `${process.pid}.json`),
      JSON.stringify({ sessionId: open.sessionId }),
    );
    // Entries decide, not the time of the file.
    const planned = await ask(["archive", "--older-than", "700d", "--dry-run"], { home });
    expect(planned.sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [old.sessionId, open.sessionId].toSorted(),
    );
    const done = await run(["archive", "--older-than", "700d"], { home });
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining("has it open") as string });
    expect((await ask(["archive", "list"], { home })).archive.map(({ sessionId }) => sessionId)).toEqual([
      old.sessionId,
    ]);
    expect(fs.existsSync(session.path)).toBe(true);
    await run(["archive", "--all", "--yes"], { home });
    expect((await ask(["sessions"], { home })).sessions.filter(({ archived }) => archived)).toHaveLength(2);
    expect(await run(["archive", "--all"], { home })).toMatchObject({ code: 5 });
  });

  test("packs what was named but a session that is open, says so, and ends with 5", async () => {
    const { home, session } = homeWithSession();
    const open = new TranscriptBuilder({ cwd: home.cwd, seed: "open" });
    open.prompt("An open one");
    open.write(home.configDir);
    fs.mkdirSync(path.join(home.configDir, "sessions"));
    fs.writeFileSync(
      path.join(home.configDir, "sessions", `${process.pid}.json`),
      JSON.stringify({ sessionId: open.sessionId }),
    );
    expect(await run(["archive", open.sessionId], { home })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("has it open") as string,
    });
    const { code, json } = await runJson(["archive", open.sessionId, session.sessionId], { home });
    expect({ code, json }).toMatchObject({
      code: 5,
      json: { archived: [{ sessionId: session.sessionId }], skipped: [{ sessionId: open.sessionId }] },
    });
  });

  test("names a pack that is damaged, and lists the sessions of the others", async () => {
    const { home, session } = homeWithSession();
    await run(["archive", session.sessionId], { home });
    const other = new TranscriptBuilder({ cwd: home.cwd, seed: "other" });
    other.prompt("Another question");
    other.write(home.configDir);
    await run(["archive", other.sessionId], { home });
    const { archive } = await ask(["archive", "list"], { home });
    const { pack } = archive.find(({ sessionId }) => sessionId === session.sessionId)!;
    fs.truncateSync(pack, 100);
    const listed = await run(["sessions"], { home });
    expect(listed.stdout).toContain("Another question");
    expect(listed.stderr).toContain(`Cannot read archived file "${pack}"`);
    expect(await run(["search", "parser"], { home })).toMatchObject({
      stderr: expect.stringContaining(pack) as string,
    });
    expect((await run(["archive", "restore", session.sessionId], { home })).stderr).toContain(pack);
    expect(fs.existsSync(pack)).toBe(true);
  });

  test("says what to do with an archived session that is to be changed, and what it does not understand", async () => {
    const { home, session } = homeWithSession();
    await run(["archive", session.sessionId], { home });
    const restore = expect.stringContaining(`holdfast archive restore ${session.sessionId}`) as string;
    expect(await run(["rename", session.sessionId, "x"], { home })).toMatchObject({
      code: 5,
      stderr: restore,
    });
    expect(await run(["todos", session.sessionId], { home })).toMatchObject({ code: 5, stderr: restore });
    expect(await run(["archive", session.sessionId], { home })).toMatchObject({ code: 2 });
    expect(await run(["archive"], { home })).toMatchObject({ code: 2 });
    expect(await run(["archive", "restore"], { home })).toMatchObject({ code: 2 });
    expect(await run(["archive", "list", "--all"], { home })).toMatchObject({ code: 2 });
    expect(await run(["archive", "keep", "maybe"], { home })).toMatchObject({ code: 2 });
    expect(await run(["archive", "restore", "nope"], { home })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("holdfast archive list") as string,
    });
  });
});

describe("holdfast archive keep", () => {
  test("is started by the hook when a session starts, once a day, if it is on", async () => {
    const { home, session } = homeWithSession();
    const old = Date.now() / 1000 - 25 * 86_400;
    fs.utimesSync(session.path, old, old);
    const mark = path.join(home.home, "keep-run");
    const start = (): Promise<unknown> => {
      const event = { hook_event_name: "SessionStart", session_id: "s", cwd: home.cwd, source: "startup" };
      const input = JSON.stringify({
        ...event,
        transcript_path: path.join(path.dirname(session.path), "s.jsonl"),
      });
      return run(["hook"], { home, input });
    };
    await start();
    expect(fs.existsSync(mark)).toBe(false);

    const hoursAgo = (hours: number): number => Math.floor(Date.now() / 1000) - hours * 3600;
    fs.mkdirSync(home.home, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(home.home, "config.json"), '{"keep":true}');
    fs.writeFileSync(mark, "");
    const lately = hoursAgo(23);
    fs.utimesSync(mark, lately, lately);
    await start();
    expect(fs.statSync(mark).mtimeMs).toBe(lately * 1000);

    fs.utimesSync(mark, hoursAgo(25), hoursAgo(25));
    await start();
    expect(fs.statSync(mark).mtimeMs).toBeGreaterThan(lately * 1000);
    await waitFor(() => processesIn(home.home).length === 0);
    expect((await ask(["archive", "list"], { home })).archive).toMatchObject([
      { sessionId: session.sessionId, isLive: true },
    ]);
  });

  test("copies what the client would soon delete, once, and shows it when the client has", async () => {
    const { home, session } = homeWithSession();
    const daysAgo = (days: number): number => Date.now() / 1000 - days * 86_400;
    fs.utimesSync(session.path, daysAgo(25), daysAgo(25));
    const off = await run(["archive", "keep"], { home });
    expect(off).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("holdfast archive keep on") as string,
    });
    expect(await ask(["archive", "list"], { home })).toMatchObject({ archive: [] });

    fs.mkdirSync(home.home, { recursive: true });
    fs.writeFileSync(path.join(home.home, "config.json"), '{"prices":{}}\n');
    expect(await ask(["archive", "keep", "on"], { home })).toMatchObject({
      keep: true,
      periodDays: 30,
      kept: [{ sessionId: session.sessionId }],
    });
    expect(JSON.parse(fs.readFileSync(path.join(home.home, "config.json"), "utf8"))).toEqual({
      prices: {},
      keep: true,
    });
    expect(await ask(["archive", "keep"], { home })).toMatchObject({ kept: [] });
    expect(await ask(["sessions"], { home })).toMatchObject({ sessions: [{ archived: false }] });

    // The session goes on, and grows old again: the new copy holds all of the old one.
    fs.appendFileSync(session.path, '{"type":"custom-title","customTitle":"Another"}\n');
    fs.utimesSync(session.path, daysAgo(26), daysAgo(26));
    expect((await ask(["archive", "keep"], { home })).kept).toHaveLength(1);
    expect((await ask(["archive", "list"], { home })).archive).toMatchObject([{ isLive: true }]);

    fs.rmSync(session.path);
    expect(await ask(["sessions"], { home })).toMatchObject({
      sessions: [{ archived: true, title: "Another" }],
    });
    expect((await run(["archive", "keep", "off"], { home })).stderr).toContain("The archive stays");
    expect((await ask(["archive", "list"], { home })).archive).toMatchObject([{ isLive: false }]);
  });

  test("goes by the shortest period that any project's settings name", async () => {
    const { home, session } = homeWithSession();
    const days = Date.now() / 1000 - 3 * 86_400;
    fs.utimesSync(session.path, days, days);
    expect((await ask(["archive", "keep", "on"], { home })).kept).toEqual([]);
    fs.mkdirSync(path.join(home.cwd, ".claude"));
    fs.writeFileSync(path.join(home.cwd, ".claude", "settings.json"), '{"cleanupPeriodDays":4}');
    expect(await ask(["archive", "keep"], { home })).toMatchObject({
      periodDays: 4,
      kept: [{ sessionId: session.sessionId }],
    });
  });
});
