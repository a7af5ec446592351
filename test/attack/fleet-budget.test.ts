import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { openRuntime } from "../../src/index.ts";
import { tempDir } from "../support/index.ts";
import { natsServerForTests } from "../support/nats-servers.ts";
import { sendToolUse, startHostileServer } from "./hostile-server.ts";

const file = await natsServerForTests();
const command = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

describe.skipIf(file === undefined)("a budget on the fleet", () => {
  test("holds for a tree of agents, and for all workers together", { timeout: 120_000 }, async () => {
    const dir = tempDir();
    const cwd = path.join(dir, "project");
    fs.mkdirSync(cwd);
    const [home, configDir] = [path.join(dir, "home"), path.join(dir, "config")];
    const env = { ...process.env, HOLDFAST_NATS_SERVER: file, ANTHROPIC_API_KEY: "key" };
    const startWorker = () =>
      spawn(process.execPath, [command, "fleet", "worker", "--slots", "1"], {
        env: { ...env, HOLDFAST_HOME: home, CLAUDE_CONFIG_DIR: configDir },
        stdio: "ignore",
      });
    let killAt = 3;
    let worker: ReturnType<typeof startWorker> | undefined;
    await using server = await startHostileServer((response) => {
      if (server.count() === killAt) {
        killAt = 0;
        worker!.kill("SIGKILL");
        return void response.destroy();
      }
      const isFirst = server.count() === 4;
      const more = { description: "More", prompt: "Go", run_in_background: true };
      sendToolUse(response, isFirst ? "Task" : "Read", isFirst ? more : { file_path: "x" });
    });
    const runtime = openRuntime({ home, configDir, env });
    const { fleet, tasks } = runtime;
    try {
      await fleet.up({ leaseMs: 2000 });
      worker = startWorker();
      const runner = { name: "anthropic" as const, baseUrl: server.url };
      const request = { prompt: "Go", cwd, runner, permission: "allow" as const, model: "claude-opus-4-6" };
      const { record } = await fleet.start({ ...request, limits: { maxTurns: 8 } });
      await once(worker, "exit");
      worker = startWorker();
      expect(await tasks.wait(record.id, { timeoutMs: 90_000 })).toMatchObject({ status: "failed" });
      expect(server.count()).toBe(8);
    } finally {
      worker?.kill("SIGTERM");
      if (worker) await once(worker, "exit");
      await fleet.down();
      await runtime.close();
    }
  });
});
