#!/usr/bin/env node
// The hook as a process: `holdfast hook [--wake]`. It is started on every tool call and while a client waits, so it loads
// as little as it can, and whatever goes wrong it ends with 0 and says nothing: the client must go on. With --wake it may
// end with 2, which wakes an idle session.
import os from "node:os";
import path from "node:path";
import { systemClock } from "../../lib/clock.ts";
import type { HookWorld } from "./hook-world.ts";
import { logFailure } from "./log-failure.ts";
import { readInput } from "./read-input.ts";
import { runHook } from "./run-hook.ts";

void main();

async function main(): Promise<void> {
  const world = readWorld();
  try {
    const text = await readInput();
    if (process.argv.includes("--wake")) await wake(text, world);
    else await answer(text, world);
  } catch (error) {
    logFailure(world.home, error, { now: world.clock.now() });
  }
}

async function answer(text: string, world: HookWorld): Promise<void> {
  const { output, afterwards } = await runHook(text, world);
  if (output) await print(`${JSON.stringify(output)}\n`);
  await afterwards?.();
}

// A client that has gone meanwhile is no failure.
function print(text: string): Promise<void> {
  const { stdout } = process;
  stdout.on("error", () => {});
  return new Promise((resolve) => stdout.write(text, () => resolve()));
}

async function wake(text: string, world: HookWorld): Promise<void> {
  const { waitForNews } = await import("./wake.ts");
  const news = await waitForNews(text, world);
  if (news === undefined) return;
  process.stderr.write(`${news}\n`);
  process.exitCode = 2;
}

function readWorld(): HookWorld {
  const { env } = process;
  const userHome = os.homedir();
  // As placesOf() has it, which stands among all that the library loads: a hook would take five times as much code.
  const stateHome = env["XDG_STATE_HOME"] || path.join(userHome, ".local", "state");
  const home = path.resolve(env["HOLDFAST_HOME"] || path.join(stateHome, "holdfast"));
  const command = [process.execPath, process.argv[1] ?? "holdfast"];
  return { home, env, userHome, parentPid: process.ppid, command, clock: systemClock };
}
