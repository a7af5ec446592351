import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession } from "../support/sample-session.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

function listFiles(transcript: string): string[] {
  return fs.readdirSync(path.dirname(transcript), { recursive: true, encoding: "utf8" }).toSorted();
}

describe("holdfast rm", () => {
  test("moves to the trash, says how to undo it, and brings it back whole", async () => {
    const { home, session } = homeWithSession();
    const before = listFiles(session.path);
    const bytes = fs.readFileSync(session.path);
    const removed = await run(["rm", session.sessionId.slice(0, 8)], { home });
    expect(removed).toMatchObject({ code: 0, stdout: "" });
    const undo = /Undo: holdfast (.*)\n/.exec(removed.stderr)?.[1] ?? "";
    expect((await runJson(["sessions", "--all"], { home })).json.sessions).toEqual([]);
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

  test("--project moves the whole history of a folder to the trash, and one command brings it back", async () => {
    const { home, session } = homeWithSession();
    const second = sampleSession({ seed: "second", cwd: session.cwd }).write(home.configDir);
    const before = listFiles(session.path);
    const removed = await run(["rm", "--project", session.cwd], { home });
    expect(removed).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Moved 2 sessions of "),
    });
    expect((await runJson(["sessions", "--all"], { home })).json.sessions).toEqual([]);
    const { json } = await runJson(["rm", "--list"], { home });
    expect(json.trash).toMatchObject([{ reset: expect.any(String) }, { reset: expect.any(String) }]);
    const undo = /Undo: holdfast (.*)\n/.exec(removed.stderr)?.[1] ?? "";
    expect(await run(undo.split(" "), { home })).toMatchObject({
      stderr: expect.stringContaining("Restored 2 sessions"),
    });
    expect(listFiles(session.path)).toEqual(before);
    expect((await run(["show", second.sessionId], { home })).code).toBe(0);
    expect(await run(undo.split(" "), { home })).toMatchObject({ code: 3 });
    expect((await run(["rm", "--project", "/nowhere"], { home })).stderr).toBe("/nowhere has no sessions.\n");
    expect(await run(["rm", "1b3e", "--project", "."], { home })).toMatchObject({ code: 2 });
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
