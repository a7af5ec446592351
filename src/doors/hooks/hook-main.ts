#!/usr/bin/env node
// The hook as a process: `holdfast hook [--wake]`. It is started on every tool call and while a client waits, so it loads
// as little as it can, and whatever goes wrong it ends with 0 and says nothing: the client must go on. With --wake it may
// end with 2, which wakes an idle session.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../lib/clock.ts";
import { placesOf } from "../../runtime/places.ts";
import type { HookWorld } from "./hook-world.ts";
import { logFailure } from "./log-failure.ts";
import { readInput } from "./read-input.ts";
import { runHook } from "./run-hook.ts";

void main();

async function main(): Promise<void> {
  const world = readWorld();
  if (isTerminal(0)) return sayForWhom();
  try {
    const text = await readInput();
    if (process.argv.includes("--wake")) await wake(text, world);
    else await answer(text, world);
  } catch (error) {
    logFailure(world.home, error, { now: world.clock.now() });
  }
}

function isTerminal(fd: number): boolean {
  try {
    // Loads what knows terminals only for what may be one.
    return fs.fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    return false;
  }
}

// A person would wait for an answer, and the hook for their event.
function sayForWhom(): void {
  process.stderr.write(
    "holdfast: A client runs the hook, with an event on standard input. Let Claude Code run it: holdfast plugin install\n",
  );
}

async function answer(text: string, world: HookWorld): Promise<void> {
  const { output, afterwards } = await runHook(text, world);
  const isOut = output === undefined || (await print("stdout", `${JSON.stringify(output)}\n`));
  await afterwards?.(isOut);
}

// A client that has gone meanwhile is no failure, but nobody was told.
function print(name: "stdout" | "stderr", text: string): Promise<boolean> {
  const stream = process[name];
  stream.on("error", () => {});
  return new Promise((resolve) => stream.write(text, (error) => resolve(!error)));
}

async function wake(text: string, world: HookWorld): Promise<void> {
  const { waitForNews } = await import("./wake.ts");
  const news = await waitForNews(text, world);
  if (news === undefined) return;
  process.exitCode = 2;
  await news.afterwards(await print("stderr", `${news.text}\n`));
}

function readWorld(): HookWorld {
  const { env } = process;
  const userHome = os.homedir();
  const { home, settingsFile } = placesOf(env, { userHome });
  const command = [process.execPath, process.argv[1] ?? "holdfast"];
  const scriptsDir = scriptsDirOf(env["CLAUDE_PLUGIN_ROOT"]);
  return {
    home,
    settingsFile,
    env,
    userHome,
    parentPid: process.ppid,
    command,
    scriptsDir,
    clock: systemClock,
  };
}

// The client's copy of the plugin, which goes with it; else what this installation brings.
function scriptsDirOf(pluginRoot: string | undefined): string {
  const isSource = import.meta.url.endsWith(".ts");
  const own = fileURLToPath(new URL(isSource ? "../../../plugin/hooks" : "../plugin/hooks", import.meta.url));
  return pluginRoot ? path.join(pluginRoot, "hooks") : own;
}
