import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome } from "../support/index.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

describe("holdfast sessions", () => {
  test("says on an empty home that there are none, here and on the machine", async () => {
    const home = testHome();
    const here = await run(["sessions"], { home });
    expect(here).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("No sessions below") as string,
    });
    const all = await run(["sessions", "--all"], { home });
    expect(all).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("No sessions below") as string,
    });
    expect((await runJson(["sessions"], { home })).json).toEqual({
      schemaVersion: 1,
      sessions: [],
    });
    // A list is a question: it leaves nothing behind where there was nothing.
    expect(fs.existsSync(home.configDir)).toBe(false);
  });

  test("--json has every promised key, null where a session has none", async () => {
    const { home, session } = homeWithSession();
    const { json } = await runJson(["sessions"], { home });
    expect(json).toEqual({
      schemaVersion: 1,
      sessions: [
        {
          sessionId: session.sessionId,
          project: session.projectKey,
          cwd: home.cwd,
          path: session.path,
          title: "Fix the parser",
          tag: null,
          firstPrompt: "Why does the parser fail in round 1?",
          messageCount: expect.any(Number) as number,
          agents: 1,
          gitBranch: "main",
          startedAt: "2026-03-04T05:06:08.000Z",
          updatedAt: expect.stringMatching(/^2026-03-04T05:06:/) as string,
          bytes: fs.statSync(session.path).size,
          archived: false,
        },
      ],
    });
    const empty = testHome();
    const dir = path.join(empty.configDir, "projects", "-p");
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, "empty.jsonl"), "");
    const bare = (await runJson(["sessions", "--all"], { home: empty })).json.sessions[0];
    expect(bare).toMatchObject({
      sessionId: "empty",
      cwd: null,
      title: null,
      firstPrompt: null,
      gitBranch: null,
      startedAt: null,
    });
  });

  test("lists the project of the current directory, of another, or all, newest first", async () => {
    const home = testHome();
    const older = sampleSession({ cwd: home.cwd, seed: "older" }).write(home.configDir);
    const other = sampleSession({
      cwd: "/somewhere/else",
      seed: "other",
      startedAt: "2026-05-01T00:00:00.000Z",
    }).write(home.configDir);
    const ids = async (...args: string[]): Promise<unknown[]> =>
      (await runJson(["sessions", ...args], { home })).json.sessions.map(({ sessionId }) => sessionId);
    expect(await ids()).toEqual([older.sessionId]);
    expect(await ids("--project", "/somewhere/else")).toEqual([other.sessionId]);
    // A folder is the project of what is inside of it.
    expect(await ids("--project", "..", "--limit", "5")).toEqual([older.sessionId]);
    expect(await ids("--all")).toEqual([other.sessionId, older.sessionId]);
    expect(await ids("--all", "--limit", "1")).toHaveLength(1);
    expect(await run(["sessions", "--all", "--project", "x"], { home })).toMatchObject({ code: 2 });
  });

  test("finds the sessions of a path of 300 characters", async () => {
    const home = testHome();
    const cwd = path.join(home.cwd, "d".repeat(150), "e".repeat(150));
    fs.mkdirSync(cwd, { recursive: true });
    const session = sampleSession({ cwd }).write(home.configDir);
    expect(path.basename(path.dirname(session.path)).length).toBeGreaterThan(200);
    const { json } = await runJson(["sessions"], { home, cwd });
    expect(json.sessions.map(({ sessionId }) => sessionId)).toEqual([session.sessionId]);
  });

  test("shows a table that fits 40 columns, without colours in a pipe, with them when forced", async () => {
    const { home } = homeWithSession();
    const narrow = await run(["sessions", "--all"], { home, env: { COLUMNS: "40" } });
    const lines = narrow.stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines.filter((line) => line.length > 40)).toEqual([]);
    expect(narrow.stdout).toContain("Fix the parser");
    expect(narrow.stdout).not.toContain("\u001b");
    const forced = await run(["sessions"], { home, env: { FORCE_COLOR: "1" } });
    expect(forced.stdout).toContain("\u001b[");
    const refused = await run(["sessions"], { home, env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(refused.stdout).not.toContain("\u001b");
  });

  test("strips what a title or a prompt could do to a terminal", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd });
    session.meta("custom-title", { customTitle: "\u001b]0;owned\u0007A \u001b[31mtitle\u202e\nwith lines" });
    session.write(home.configDir);
    const { stdout } = await run(["sessions"], { home });
    expect(stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(stdout).toContain("A title with lines");
  });

  test("reads CLAUDE_CONFIG_DIR and HOLDFAST_HOME, and their defaults below the home folder", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd }).write(path.join(home.userHome, ".claude"));
    const { json } = await runJson(["sessions"], {
      home,
      env: { CLAUDE_CONFIG_DIR: "", HOLDFAST_HOME: "" },
    });
    expect(json.sessions.map(({ sessionId }) => sessionId)).toEqual([session.sessionId]);
    expect(fs.existsSync(home.home)).toBe(false);
  });

  test("opens a home of 0.1.0, and removes the stores that the index replaces", async () => {
    const { home, session } = homeWithSession();
    const index = path.join(home.home, "index");
    fs.mkdirSync(path.join(index, "offsets"), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(index, "offsets", "0123.table"), "a table");
    const facts = { messageCount: 77, inlineAgents: 0, coverage: {} };
    const older = JSON.stringify({ version: 1, sessions: { [session.path]: facts } });
    fs.writeFileSync(path.join(index, "sessions.json"), older);
    fs.writeFileSync(path.join(index, "health.json"), '{"version":1,"files":{}}');
    const first = await runJson(["sessions"], { home });
    expect(first.json.sessions).toEqual([expect.objectContaining({ messageCount: 13 })]);
    expect(fs.readdirSync(index)).toEqual(["index.db"]);
    expect((await runJson(["sessions"], { home })).json).toEqual(first.json);
  });
});
