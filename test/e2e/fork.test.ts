import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { homeWithSession, run, runJson } from "./cli.ts";

describe("holdfast fork", () => {
  test("prints the new session's id, and leaves the old one as it is", async () => {
    const { home, session } = homeWithSession();
    const bytes = fs.readFileSync(session.path);
    const { code, stdout, stderr } = await run(["fork", session.sessionId, "--title", "Plan B"], { home });
    expect(code).toBe(0);
    expect(stderr).toContain(`claude --resume ${stdout.trim()}`);
    expect(fs.readFileSync(session.path)).toEqual(bytes);
    const { sessions } = (await runJson(["sessions"], { home })).json;
    expect(sessions.find(({ sessionId }) => sessionId === stdout.trim())?.title).toBe("Plan B");
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
