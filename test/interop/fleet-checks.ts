import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ScriptStep } from "../../src/agents/runners/scripted/script.ts";
import { natsServerForTests } from "../support/nats-servers.ts";
import { wrongWith, type Check, type CheckHome } from "./checks.ts";

const run = promisify(execFile);
const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const steps: ScriptStep[] = [
  { text: "I look first." },
  { run: "echo far away > made.txt; cat made.txt" },
  { text: "It is done." },
];

/** Sessions that ran on a worker of the fleet, in the hands of the real client. */
export const fleetChecks: Check[] = [
  {
    name: "fleet: a session that was brought home is resumed whole, in its new folder",
    async run(home) {
      const server = await natsServerForTests();
      // Said already, loudly.
      if (server === undefined) return [];
      const env = environmentOf(home, server);
      const holdfast = async (...args: string[]): Promise<string> =>
        (await run(process.execPath, [bin, ...args], { cwd: home.cwd, env })).stdout.trim();
      await run("git", ["init", "-q"], { cwd: home.cwd });
      fs.writeFileSync(path.join(home.cwd, "script.json"), JSON.stringify(steps));
      await holdfast("fleet", "up");
      const worker = spawn(process.execPath, [bin, "fleet", "worker"], {
        cwd: home.cwd,
        env,
        stdio: "ignore",
      });
      try {
        const sending = ["--remote", "--script", "script.json", "--permission", "allow", "--json"];
        const { id } = JSON.parse(await holdfast("agent", ...sending, "Look around")) as { id: string };
        await holdfast("wait", id);
        const worktree = path.join(path.dirname(home.cwd), "home-again");
        const came = JSON.parse(await holdfast("teleport", id, "--worktree", worktree, "--json")) as {
          sessionId: string;
          folder: string;
        };
        const problems = fs.existsSync(path.join(worktree, "made.txt")) ? [] : ["its work did not come home"];
        const session = await home.store.find(came.sessionId);
        // By its folder: that is where the client looks for what it is to continue.
        const there = { ...home, cwd: came.folder };
        return [
          ...problems,
          ...(await wrongWith(there, session, { byId: false })),
          ...(await wrongWith(there, session)),
        ];
      } finally {
        worker.kill("SIGKILL");
        await holdfast("fleet", "down");
      }
    },
  },
];

function environmentOf({ userHome, configDir, cwd }: CheckHome, server: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: userHome,
    HOLDFAST_HOME: path.join(path.dirname(cwd), "state"),
    CLAUDE_CONFIG_DIR: configDir,
    HOLDFAST_NATS_SERVER: server,
    SHELL: "/bin/sh",
  };
}
