import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { markedProcesses } from "../support/task-world.ts";
import { isAlive, taskHome } from "./task-cli.ts";

describe("holdfast stop", () => {
  test("takes everything that a task started, also what left its session, and says who and why", async () => {
    await using home = taskHome();
    const pids = path.join(home.cwd, "pids");
    const sleeper = `sh -c 'echo $$ >> ${pids}; exec sleep 300'`;
    const id = await home.start(
      "--name",
      "tree",
      "--",
      `setsid ${sleeper} & nohup ${sleeper} & (${sleeper} &) ; ${sleeper}`,
    );
    const started = await waitFor(() => {
      const found = fs.existsSync(pids) ? fs.readFileSync(pids, "utf8").trim().split("\n").map(Number) : [];
      return found.length === 4 && found;
    });
    const { code, stdout, stderr } = await home.holdfast("stop", "tree", "--reason", "wrong branch");
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: `Task ${id} (tree) stopped.\n` });
    expect(started.filter(isAlive)).toEqual([]);
    expect(markedProcesses(id)).toEqual([]);
    expect(await home.json("inspect", id)).toMatchObject({
      status: "stopped",
      stoppedBy: "cli:tester",
      stopReason: "wrong branch",
    });
    expect((await home.holdfast("stop", id)).stderr).toBe(
      `Task ${id} (tree) had already ended: stopped by cli:tester: wrong branch.\n`,
    );
  });

  test("kills what ignores the asking after the grace, and stops several at once", async () => {
    await using home = taskHome();
    const deaf = await home.start("--", "trap '' TERM; echo ready; while :; do sleep 1; done");
    const other = await home.start("--", "sleep 300");
    await waitFor(async () => (await home.holdfast("logs", deaf)).stdout === "ready\n");
    const { tasks } = await home.json<{ tasks: unknown[] }>("stop", deaf, other, "--grace", "300ms");
    expect(tasks).toMatchObject([
      { id: deaf, status: "stopped", signal: "SIGKILL" },
      { id: other, status: "stopped", signal: "SIGTERM" },
    ]);
  });

  test("stops nothing when one of the ids is unknown", async () => {
    await using home = taskHome();
    const id = await home.start("--", "sleep 300");
    expect((await home.holdfast("stop", id, "nothing")).code).toBe(3);
    expect((await home.json<{ status: string }>("inspect", id)).status).toBe("running");
  });
});
