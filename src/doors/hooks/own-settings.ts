import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { unhanging } from "../../lib/read-json.ts";
import type { HookWorld } from "./hook-world.ts";
import { logFailure } from "./log-failure.ts";

/** What a hook looks at. */
interface OwnSettings {
  keep?: unknown;
  hooks?: { duplicateLaunch?: unknown; exitCodes?: unknown };
}

/**
 * One of the user's settings. Read without readConfig(), which would make the hook larger: a client waits for it. What
 * cannot be read is written down, and counts as not set.
 */
export function readOwnSetting(world: HookWorld, pick: (settings: OwnSettings) => unknown): unknown {
  const old = holdfastPaths(world.home).configFile;
  for (const file of new Set([world.settingsFile ?? old, old])) {
    try {
      const value = pick(JSON.parse(fs.readFileSync(file, unhanging)) as OwnSettings);
      if (value !== undefined) return value;
    } catch (error) {
      if (codeOf(error) === "ENOENT") continue;
      const message = `Cannot read settings "${file}": ${(error as Error).message}`;
      logFailure(world.home, message, { now: world.clock.now() });
    }
  }
  return undefined;
}
