import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { holdfastPaths } from "../../src/format/paths.ts";
import { openTranscriptWriter } from "../../src/store/index.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

describe("holdfast rename", () => {
  test("gives a title, on one line, that the list shows", async () => {
    const { home, session } = homeWithSession();
    const { json } = await runJson(["rename", session.sessionId, "  A new\n title "], { home });
    expect(json).toEqual({ schemaVersion: 1, sessionId: session.sessionId, title: "A new title" });
    expect((await run(["sessions"], { home })).stdout).toContain("A new title");
  });

  test("changes nothing when the title is empty or endless, or another process writes", async () => {
    const { home, session } = homeWithSession();
    const before = fs.readFileSync(session.path);
    expect(await run(["rename", session.sessionId, " "], { home })).toMatchObject({
      code: 2,
      stderr: "holdfast: Cannot set title: it is empty\n",
    });
    expect(await run(["rename", session.sessionId, "x".repeat(1000)], { home })).toMatchObject({ code: 2 });
    const writer = openTranscriptWriter({
      file: session.path,
      sessionId: session.sessionId,
      leaseDir: holdfastPaths(home.home).leasesDir,
    });
    try {
      const { code, json } = await runJson(["rename", session.sessionId, "Mine"], { home });
      expect({ code, error: json.error }).toMatchObject({
        code: 5,
        error: { code: "conflict", pid: process.pid },
      });
    } finally {
      await writer.close();
    }
    expect(fs.readFileSync(session.path)).toEqual(before);
  });
});
