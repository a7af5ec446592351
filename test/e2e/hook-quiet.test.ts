import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { projectKey } from "../../src/format/paths.ts";
import { quietAfterMs } from "../../src/recovery/limits.ts";
import { bashLaunch, hookHome, notification, type HookHome } from "./hook-cli.ts";

const SHELL = "b1234abcd";
// A pid that no process has: the largest one is 4194304.
const GONE = 4_194_304;

describe("the note that a project is quiet", () => {
  test("is made when a session begins and everything that was launched is over and was told", async () => {
    await using home = hookHome();
    await home.send("PostToolUse", bashLaunch(SHELL));
    await home.send("UserPromptSubmit", { prompt: notification(SHELL) });
    age(home);
    await home.send("SessionStart", { source: "startup" });
    expect(isQuiet(home)).toBe(true);
    expect(fs.statSync(noteOf(home)).mode & 0o777).toBe(0o600);
  });

  test("is made before a command, too, and a launch ends it by being written down", async () => {
    await using home = hookHome();
    await home.send("PostToolUse", bashLaunch(SHELL));
    await home.send("UserPromptSubmit", { prompt: notification(SHELL) });
    age(home);
    await home.send("PreToolUse", { tool_name: "Bash", tool_input: { command: "ls" } });
    expect(isQuiet(home)).toBe(true);
    await home.send("PostToolUse", bashLaunch("b5678abcd"));
    expect(isQuiet(home)).toBe(false);
  });

  test("is not made while a command runs, is lost, or has ended unseen", async () => {
    await using home = hookHome();
    const isQuietNow = async (): Promise<boolean> => {
      age(home);
      await home.send("SessionStart", { source: "startup" }, { session: "s-2" });
      return isQuiet(home);
    };
    await home.send("PostToolUse", bashLaunch(SHELL));
    expect(await isQuietNow()).toBe(false);
    await home.send("PostToolUse", bashLaunch("b5678abcd"), { clientPid: GONE });
    await home.send("UserPromptSubmit", { prompt: notification(SHELL) });
    expect(await isQuietNow()).toBe(false);
  });

  test("is not made while a task of Holdfast has ended and the session that launched it was not told", async () => {
    await using home = hookHome();
    await home.holdfast("run", "--session", "s-1", "--", "true");
    await home.holdfast("wait", "--all");
    age(home);
    await home.send("SessionStart", { source: "startup" }, { session: "s-2" });
    expect(isQuiet(home)).toBe(false);
  });

  test("is not made of a manifest that was written to just now, nor in a home that has none of the project", async () => {
    await using home = hookHome();
    await home.send("SessionStart", { source: "startup" });
    expect(fs.existsSync(path.dirname(noteOf(home)))).toBe(false);
    await home.send("PostToolUse", bashLaunch(SHELL));
    await home.send("UserPromptSubmit", { prompt: notification(SHELL) });
    age(home, -60_000);
    await home.send("SessionStart", { source: "startup" });
    expect(isQuiet(home)).toBe(false);
    expect(fs.readdirSync(path.dirname(noteOf(home)))).toEqual(["background.jsonl"]);
  });
});

function noteOf(home: HookHome): string {
  return path.join(home.home, "projects", projectKey(home.cwd), "background.quiet");
}

function isQuiet(home: HookHome): boolean {
  const manifest = path.join(path.dirname(noteOf(home)), "background.jsonl");
  const note = fs.statSync(noteOf(home), { throwIfNoEntry: false });
  return note !== undefined && note.mtimeMs > fs.statSync(manifest).mtimeMs;
}

/** As if the manifest had been written to earlier. */
function age(home: HookHome, byMs = 10 * quietAfterMs): void {
  const manifest = path.join(path.dirname(noteOf(home)), "background.jsonl");
  const seconds = (Date.now() - byMs) / 1000;
  fs.utimesSync(manifest, seconds, seconds);
}
