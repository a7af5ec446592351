import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { recover } from "../../src/recovery/recover.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { tempDir } from "../support/temp-dir.ts";

// A home as Holdfast left it before a notice was offered and confirmed: who created `.notice.consumed` had taken it.
const frozen = fileURLToPath(new URL("data/notice-v1", import.meta.url));

function oldHome(): string {
  const home = path.join(tempDir(), "home");
  fs.cpSync(frozen, home, { recursive: true });
  return home;
}

describe("a notice of Holdfast 0.1", () => {
  test("that was taken stays told, and one that was not is told once", async () => {
    const { tasks } = openTestTasks({ home: oldHome() });
    await tasks.list({ all: true });
    const take = async (): Promise<string[]> =>
      (await tasks.consumeNotices({ by: "me" })).map(({ taskId }) => taskId);
    expect(await take()).toEqual(["b0waiting"]);
    expect(await take()).toEqual([]);
  });

  test.each(["s-1", "s-2"])("is told to session %s in a brief only if it was not taken", (sessionId) => {
    const now = new Date("2026-11-11T08:00:00.000Z");
    const { finishedUnseen, lost, arrived } = recover({
      home: oldHome(),
      configDir: tempDir(),
      clock: { now: () => now },
      projectDir: "/project",
      sessionId,
    });
    expect(finishedUnseen.map(({ id }) => id)).toEqual(["b0waiting"]);
    expect([lost, arrived]).toEqual([[], []]);
  });
});
