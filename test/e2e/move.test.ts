import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectKey } from "../../src/format/paths.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

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
