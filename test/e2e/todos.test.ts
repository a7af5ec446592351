import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { homeWithSession, run, runJson } from "./cli.ts";

describe("holdfast todos", () => {
  test("shows what is done, under way and open", async () => {
    const { home, session } = homeWithSession();
    const dir = path.join(home.configDir, "tasks", session.sessionId);
    fs.mkdirSync(dir, { recursive: true });
    const task = (id: string, extra: object): void =>
      fs.writeFileSync(
        path.join(dir, `${id}.json`),
        JSON.stringify({ id, subject: `Task ${id}`, description: "", blocks: [], blockedBy: [], ...extra }),
      );
    task("1", { status: "completed" });
    task("2", { status: "in_progress", activeForm: "Doing task 2" });
    task("3", { status: "pending", blockedBy: ["2"] });
    const { code, stdout } = await run(["todos", session.sessionId], { home });
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(1, 4)).toEqual([
      "✓ 1. Task 1",
      "● 2. Doing task 2",
      "○ 3. Task 3 (waits for 2)",
    ]);
    const { json } = await runJson(["todos", session.sessionId], { home });
    expect(json.lists[0]?.items).toHaveLength(3);
  });

  test("says when there are none", async () => {
    const { home, session } = homeWithSession();
    expect(await run(["todos", session.sessionId], { home })).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("no to-do list") as string,
    });
  });
});
