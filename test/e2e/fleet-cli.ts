import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { ScriptStep } from "../../src/agents/runners/scripted/index.ts";
import { natsServerForTests } from "../support/nats-servers.ts";
import { taskHome, type SpawnedCommand, type TaskHome } from "./task-cli.ts";

/** Undefined where there is none; then the tests of the fleet are skipped. */
export const natsServer: string | undefined = await natsServerForTests();
export const LONG: { timeoutMs: number } = { timeoutMs: 60_000 };

/** A home with a fleet of its own. */
export interface FleetHome extends AsyncDisposable {
  home: TaskHome;
  startWorker(): SpawnedCommand;
  /** Sends an agent that plays these steps; its id. */
  send(steps: ScriptStep[], ...args: string[]): Promise<string>;
  status(
    id: string,
  ): Promise<{ status: string; pid: number; progress: { needsInput?: { requestId: string } } | null }>;
}

/** A server of its own, as `fleet up` starts it, and a repository to work in. */
export async function fleetHome({ lease = "30s" }: { lease?: string } = {}): Promise<FleetHome> {
  const home = taskHome({ HOLDFAST_NATS_SERVER: natsServer! });
  const workers: SpawnedCommand[] = [];
  const dispose = async (): Promise<void> => {
    for (const worker of workers) worker.kill("SIGKILL");
    await Promise.all(workers.map((worker) => worker.ended()));
    await home.holdfast("fleet", "down");
    await home[Symbol.asyncDispose]();
  };
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: home.cwd,
      encoding: "utf8",
    });
  git("init", "-q", "-b", "main");
  fs.writeFileSync(path.join(home.cwd, "a.txt"), "one\n");
  git("add", "-A");
  git("commit", "-qm", "one");
  const up = await home.holdfast("fleet", "up", "--lease", lease);
  expect(up).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^nats:\/\/127\.0\.0\.1:\d+\n$/) as string,
  });
  return {
    home,
    startWorker() {
      const worker = home.spawn("fleet", "worker", "--slots", "2", "--json");
      workers.push(worker);
      return worker;
    },
    async send(steps, ...args) {
      fs.writeFileSync(path.join(home.cwd, "script.json"), JSON.stringify(steps));
      const words = ["agent", "--remote", "--script", "script.json", ...args, "Do it"];
      const { stdout, stderr, code } = await home.holdfast(...words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout.trim();
    },
    status: (id) => home.json("inspect", id),
    [Symbol.asyncDispose]: dispose,
  };
}
