import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { homeWithSession, run, runJson } from "./cli.ts";

describe("holdfast tag", () => {
  test("puts a tag before the title in the list; the last one stays", async () => {
    const { home, session } = homeWithSession();
    expect(await run(["tag", session.sessionId, "draft"], { home })).toMatchObject({ code: 0, stdout: "" });
    const { json } = await runJson(["tag", session.sessionId, "release"], { home });
    expect(json).toEqual({ schemaVersion: 1, sessionId: session.sessionId, tag: "release" });
    expect((await run(["sessions"], { home })).stdout).toContain("#release Fix the parser");
  });

  test("refuses an empty or endless tag", async () => {
    const { home, session } = homeWithSession();
    const before = fs.readFileSync(session.path);
    expect(await run(["tag", session.sessionId, ""], { home })).toMatchObject({ code: 2 });
    expect(await run(["tag", session.sessionId, "x".repeat(1000)], { home })).toMatchObject({ code: 2 });
    expect(fs.readFileSync(session.path)).toEqual(before);
  });
});
