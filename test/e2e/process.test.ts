import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome, waitFor } from "../support/index.ts";
import { homeWithSession, run } from "./cli.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

interface Started {
  child: ReturnType<typeof spawn>;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

function start(args: string[], home: ReturnType<typeof testHome>): Started {
  const env = {
    PATH: process.env["PATH"],
    HOME: home.userHome,
    HOLDFAST_HOME: home.home,
    CLAUDE_CONFIG_DIR: home.configDir,
  };
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: home.cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>(
    (resolve) => child.on("close", (code, signal) => resolve({ code, signal, stderr })),
  );
  return { child, ended };
}

describe("the process", () => {
  test("ends quietly when its reader has seen enough", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd, rounds: 2000 }).write(home.configDir);
    for (const args of [
      ["show", sessionId],
      ["show", sessionId, "--json"],
      ["show", sessionId, "--raw"],
    ]) {
      const { child, ended } = start(args, home);
      child.stdout?.once("data", () => child.stdout?.destroy());
      expect(await ended).toEqual({ code: 0, signal: null, stderr: "" });
    }
  });

  test("ends with 130 on Ctrl+C, in the middle of its output", async () => {
    const home = testHome();
    const { sessionId } = sampleSession({ cwd: home.cwd, rounds: 2000 }).write(home.configDir);
    const { child, ended } = start(["show", sessionId, "--json"], home);
    let bytes = 0;
    child.stdout?.on("data", (data: Buffer) => {
      bytes += data.length;
      child.stdout?.pause();
    });
    await waitFor(() => bytes > 0);
    child.kill("SIGINT");
    // A writer that waits for its reader gets the signal when there is room again.
    child.stdout?.removeAllListeners("data").resume();
    expect(await ended).toMatchObject({ code: 130 });
  });

  test("loads for a command only what the command needs", async () => {
    const { home, session } = homeWithSession();
    const log = `data:text/javascript,import { registerHooks } from "node:module"; registerHooks({ resolve(specifier, context, next) { const found = next(specifier, context); process.stderr.write("loads " + found.url + "\\n"); return found; } });`;
    const loads = async (...args: string[]): Promise<string> =>
      (await run(args, { home, env: { NODE_OPTIONS: `--import "${encodeURI(log)}"` } })).stderr;
    expect(await loads("--version")).not.toMatch(/commander|run-command-line|zod/);
    expect(await loads("sessions")).not.toMatch(
      /zod|secretlint|marked|string-width|conversation-renderer|\/demo\//,
    );
    expect(await loads("show", session.sessionId)).not.toMatch(/zod|secretlint|marked|companions|\/demo\//);
  });
});
