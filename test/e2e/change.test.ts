import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectKey } from "../../src/format/paths.ts";
import { homeWithSession, run, runJson, type AnsweredSession } from "./cli.ts";

async function list(home: ReturnType<typeof homeWithSession>["home"]): Promise<AnsweredSession[]> {
  return (await runJson(["sessions", "--all"], { home })).json.sessions;
}

function listFiles(transcript: string): string[] {
  return fs.readdirSync(path.dirname(transcript), { recursive: true, encoding: "utf8" }).toSorted();
}

describe("holdfast fork", () => {
  test("prints the new session's id, and leaves the old one as it is", async () => {
    const { home, session } = homeWithSession();
    const bytes = fs.readFileSync(session.path);
    const { code, stdout, stderr } = await run(["fork", session.sessionId, "--title", "Plan B"], { home });
    expect(code).toBe(0);
    expect(stderr).toContain(`claude --resume ${stdout.trim()}`);
    expect(fs.readFileSync(session.path)).toEqual(bytes);
    expect((await list(home)).find(({ sessionId }) => sessionId === stdout.trim())?.title).toBe("Plan B");
  });

  test("--at takes the conversation up to a message", async () => {
    const { home, session, uuids } = homeWithSession();
    const { code, json } = await runJson(["fork", session.sessionId, "--at", uuids[2] ?? ""], { home });
    expect(code).toBe(0);
    expect(json).toEqual({
      schemaVersion: 1,
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      project: session.projectKey,
      path: expect.stringContaining(session.projectKey) as string,
      entries: 3,
      forkedFrom: session.sessionId,
    });
    expect(await run(["fork", session.sessionId, "--at", "nope"], { home })).toMatchObject({
      code: 3,
      stdout: "",
    });
  });
});

describe("holdfast rename and tag", () => {
  test("give a title and a tag that the list shows", async () => {
    const { home, session } = homeWithSession();
    expect(await run(["rename", session.sessionId, "  A new\n title "], { home })).toMatchObject({
      code: 0,
      stdout: "",
    });
    expect((await runJson(["tag", session.sessionId, "release"], { home })).json).toEqual({
      schemaVersion: 1,
      sessionId: session.sessionId,
      tag: "release",
    });
    const { stdout } = await run(["sessions"], { home });
    expect(stdout).toContain("#release A new title");
  });

  test("refuse an empty or endless text", async () => {
    const { home, session } = homeWithSession();
    const before = fs.readFileSync(session.path);
    expect(await run(["rename", session.sessionId, " "], { home })).toMatchObject({
      code: 2,
      stderr: "holdfast: Cannot set title: it is empty\n",
    });
    expect(await run(["tag", session.sessionId, "x".repeat(1000)], { home })).toMatchObject({ code: 2 });
    expect(await run(["rename", session.sessionId], { home })).toMatchObject({ code: 2 });
    expect(fs.readFileSync(session.path)).toEqual(before);
  });
});

describe("holdfast rm", () => {
  test("moves to the trash, says how to undo it, and brings it back whole", async () => {
    const { home, session } = homeWithSession();
    const before = listFiles(session.path);
    const bytes = fs.readFileSync(session.path);
    const removed = await run(["rm", session.sessionId.slice(0, 8)], { home });
    expect(removed).toMatchObject({ code: 0, stdout: "" });
    const undo = /Undo: holdfast (.*)\n/.exec(removed.stderr)?.[1] ?? "";
    expect(await list(home)).toEqual([]);
    const { json } = await runJson(["rm", "--list"], { home });
    expect(json.trash).toMatchObject([{ sessionId: session.sessionId, title: "Fix the parser" }]);
    expect((await run(["rm", "--list"], { home, env: { COLUMNS: "60" } })).stdout).toContain(
      "Fix the parser",
    );
    expect(await run(undo.split(" "), { home })).toMatchObject({ code: 0 });
    expect(fs.readFileSync(session.path)).toEqual(bytes);
    expect(listFiles(session.path)).toEqual(before);
    expect((await run(["rm", "--list"], { home })).stderr).toBe("The trash is empty.\n");
  });

  test("does not restore over something, and says what is not in the trash", async () => {
    const { home, session } = homeWithSession();
    await run(["rm", session.sessionId], { home });
    fs.writeFileSync(session.path, "something else\n");
    expect(await run(["rm", "--restore", session.sessionId], { home })).toMatchObject({ code: 5 });
    expect(fs.readFileSync(session.path, "utf8")).toBe("something else\n");
    expect(await run(["rm", "--restore", "nope"], { home })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("holdfast rm --list") as string,
    });
    expect(await run(["rm"], { home })).toMatchObject({ code: 2 });
  });
});

describe("holdfast move", () => {
  test("files a session under another directory", async () => {
    const { home, session } = homeWithSession();
    const target = path.join(home.cwd, "renamed");
    fs.mkdirSync(target);
    const { code, json } = await runJson(["move", session.sessionId, "renamed"], {
      home,
    });
    expect(code).toBe(0);
    expect(json).toMatchObject({ sessionId: session.sessionId, project: projectKey(target) });
    expect(fs.existsSync(json.path)).toBe(true);
    const { stdout } = await run(["sessions", "--project", "renamed"], { home });
    expect(stdout).toContain("Fix the parser");
    expect(await run(["move", session.sessionId, "../../nowhere"], { home })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("There is no such folder yet") as string,
    });
  });
});
