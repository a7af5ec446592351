import { spawn } from "node:child_process";
import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import type { HookInput } from "./hook-input.ts";
import { configDirOf, type HookWorld } from "./hook-world.ts";

/** Starts `holdfast archive keep` as a process that nobody waits for. Of many sessions that start at once, few start it. */
export function runKeep(input: HookInput, world: HookWorld): void {
  ensurePrivateDir(world.home);
  fs.writeFileSync(holdfastPaths(world.home).keepRunFile, "", { mode: 0o600 });
  const [program, ...args] = world.command;
  const child = spawn(program!, [...args, "archive", "keep"], {
    detached: true,
    stdio: "ignore",
    cwd: world.home,
    env: { ...world.env, HOLDFAST_HOME: world.home, CLAUDE_CONFIG_DIR: configDirOf(input, world) },
  });
  // A program that is gone is no reason to fail; the next day tries again.
  child.on("error", () => {});
  child.unref();
}
