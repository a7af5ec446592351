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

  test("--remove takes it away", async () => {
    const { home, session } = homeWithSession();
    await run(["tag", session.sessionId, "draft"], { home });
    const { json } = await runJson(["tag", session.sessionId, "--remove"], { home });
    expect(json).toEqual({ schemaVersion: 1, sessionId: session.sessionId, tag: null });
    expect((await run(["sessions"], { home })).stdout).not.toContain("#draft");
    expect(await run(["tag", session.sessionId], { home })).toMatchObject({ code: 2 });
    await run(["tag", session.sessionId, "draft"], { home });
    expect(await run(["tag", session.sessionId, "x", "--remove"], { home })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Cannot remove tag "x": its tag is "draft"') as string,
    });
    expect(await run(["tag", session.sessionId, "--remove", "draft"], { home })).toMatchObject({ code: 0 });
    expect((await run(["sessions"], { home })).stdout).not.toContain("#draft");
  });

  test("refuses an empty or endless tag", async () => {
    const { home, session } = homeWithSession();
    const before = fs.readFileSync(session.path);
    expect(await run(["tag", session.sessionId, ""], { home })).toMatchObject({ code: 2 });
    expect(await run(["tag", session.sessionId, "x".repeat(1000)], { home })).toMatchObject({ code: 2 });
    expect(fs.readFileSync(session.path)).toEqual(before);
  });
});
