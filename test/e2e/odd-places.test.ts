import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { testHome, type TestHome } from "../support/index.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a script in sh that calls the command as "$@" ARG…, with the home's places. */
function inShell(home: TestHome, script: string, variables: Record<string, string> = {}): Ran {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home.userHome,
    HOLDFAST_HOME: home.home,
    CLAUDE_CONFIG_DIR: home.configDir,
    ...variables,
  };
  const words = ["-c", script, "sh", process.execPath, bin];
  const { status, stdout, stderr } = spawnSync("sh", words, { cwd: home.cwd, env, encoding: "utf8" });
  return { code: status, stdout, stderr };
}

describe("in a working folder that is gone", () => {
  const enter = 'mkdir gone && cd gone && rmdir "$PWD" && ';
  test.each([
    "ps",
    "ps --all --json",
    "sessions",
    "search word",
    "notices",
    "usage",
    "recover",
    "doctor",
    "prune --dry-run",
    "--help",
  ])("holdfast %s works", (line) => {
    const { code, stderr } = inShell(testHome(), `${enter} "$@" ${line}`);
    expect(stderr).not.toMatch(/^ +at |process\.cwd/m);
    expect(code).toBe(0);
  });

  test.each([
    ["is gone", enter],
    ["was made again", `${enter} mkdir ../gone && `],
    ["is gone, and nobody said which it was", `${enter} unset PWD && `],
  ])("holdfast run says so when it %s", (_case, begin) => {
    const { code, stderr } = inShell(testHome(), `${begin} "$@" run true`);
    expect(stderr).toMatch(/^holdfast: Cannot run task in "\/.*(gone|removed).*": no such folder$/m);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(code).toBe(1);
  });

  test("holdfast run --cwd starts elsewhere, and what runs can be stopped", () => {
    const home = testHome();
    const { code, stdout, stderr } = inShell(
      home,
      `${enter} "$@" run --cwd / --name here 'sleep 300' && "$@" stop here --grace 1s && "$@" ps --all --json`,
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("stopped")]);
    expect(stdout).toContain('"status":"stopped"');
  });
});
