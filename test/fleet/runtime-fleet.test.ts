import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openRuntime, type Runtime, type WorkerEvent } from "../../src/index.ts";
import { tempDir, waitFor } from "../support/index.ts";
import { natsServerForTests } from "../support/nats-servers.ts";

const file = await natsServerForTests();

function runtimeOf(dir: string, env: Record<string, string | undefined> = process.env): Runtime {
  const [home, configDir] = [path.join(dir, "home"), path.join(dir, "config")];
  return openRuntime({ home, configDir, env: { ...env, HOLDFAST_NATS_SERVER: file } });
}

// What the commands of the fleet do, done by a program: it needs nothing but the runtime.
describe.skipIf(file === undefined)("runtime.fleet", () => {
  test("starts a server, works, sends, follows, brings home and stops", { timeout: 120_000 }, async () => {
    const dir = tempDir();
    const cwd = path.join(dir, "project");
    fs.mkdirSync(cwd);
    fs.writeFileSync(path.join(cwd, "kelp.txt"), "green");
    fs.writeFileSync(path.join(dir, "script.json"), JSON.stringify([{ text: "The answer" }]));
    const runtime = runtimeOf(dir);
    const { fleet, tasks } = runtime;
    expect(await fleet.health()).toBeUndefined();
    const { server, isNew } = await fleet.up({ leaseMs: 5000 });
    const stop = new AbortController();
    const events: WorkerEvent[] = [];
    try {
      expect({ isNew, again: (await fleet.up()).server }).toEqual({ isNew: true, again: server });
      expect(await fleet.health()).toMatchObject({ status: "warn", summary: "no worker is there" });
      const working = fleet.work({ slots: 1, signal: stop.signal, onEvent: (event) => events.push(event) });
      await waitFor(() => events.some(({ kind }) => kind === "ready"));
      expect(await fleet.health()).toMatchObject({ status: "ok" });

      const runner = { name: "scripted" as const, script: path.join(dir, "script.json") };
      const { record } = await fleet.start({ prompt: "Do it", cwd, runner, permission: "allow" });
      const { sessionId } = record.remote!;
      await tasks.wait(record.id, { timeoutMs: 60_000 });
      const { workers, sessions } = await fleet.overview();
      expect(workers).toMatchObject([{ slots: 1, busy: 0 }]);
      expect(sessions).toMatchObject([{ sessionId, status: "completed" }]);
      for await (const overview of fleet.watch()) {
        expect(overview.sessions).toHaveLength(1);
        break;
      }

      const { session, entries } = await fleet.read(sessionId.slice(0, 8));
      expect(session.sessionId).toBe(sessionId);
      const types: string[] = [];
      for await (const entry of entries) types.push(entry.type);
      expect(types).toEqual(["user", "assistant"]);
      const followed = await fleet.follow(sessionId, { cwd });
      expect(await tasks.wait(followed.record.id, { timeoutMs: 60_000 })).toMatchObject({
        status: "completed",
      });

      fs.rmSync(path.join(cwd, "kelp.txt"));
      const worktree = path.join(dir, "home-again");
      expect(await fleet.bringHome(record.id, { worktree })).toMatchObject({
        folder: worktree,
        isUnfinished: false,
        missing: [],
      });
      expect(fs.readFileSync(path.join(worktree, "kelp.txt"), "utf8")).toBe("green");

      expect(await fleet.remove(sessionId)).toMatchObject({ sessionId });
      await expect(fleet.read(sessionId)).rejects.toMatchObject({ code: "run_not_found" });
      stop.abort();
      await working;
      // The lease that `up` chose stays.
      expect((await fleet.init()).filter(({ state }) => state !== "there")).toEqual([]);
    } finally {
      stop.abort();
      expect(await fleet.down()).toBe(true);
      await runtime.close();
    }
    expect(await fleet.down()).toBe(false);
  });
});

describe("runtime.fleet", () => {
  test("writeConfig() writes a file for each node and refuses what makes no cluster", async () => {
    const dir = tempDir();
    const { fleet } = runtimeOf(dir, {});
    const cluster = path.join(dir, "cluster");
    const node = (name: string, host = "a.example"): { name: string; host: string } => ({ name, host });
    for (const nodes of [[], [node("a"), node("b")], [node("../a")], [node("a", "a;b")]])
      await expect(fleet.writeConfig(cluster, nodes)).rejects.toMatchObject({ code: "fleet_invalid" });
    expect(fs.existsSync(cluster)).toBe(false);
    const { files, keysDir } = await fleet.writeConfig(cluster, [node("a"), node("b"), node("c")]);
    expect(files).toEqual(["a", "b", "c"].map((name) => path.join(cluster, `${name}.conf`)));
    expect(fs.readdirSync(keysDir)).toContain("worker.nk");
    await expect(fleet.writeConfig(cluster, [node("a")])).rejects.toMatchObject({ code: "fleet_conflict" });
  });

  test("work() refuses more slots than a worker may have, before it looks for a server", async () => {
    const { fleet } = runtimeOf(tempDir(), {});
    await expect(fleet.work({ slots: 1001, signal: AbortSignal.timeout(1000) })).rejects.toMatchObject({
      code: "fleet_invalid",
    });
  });
});
