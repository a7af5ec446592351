import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { hasProc } from "../../lib/process-table.ts";
import { setEnvLine } from "../../recovery/plugin/env-files.ts";
import { envLine } from "../../recovery/plugin/env-line.ts";
import type { HookWorld } from "./hook-world.ts";
import { logFailure } from "./log-failure.ts";
import { readOwnSetting } from "./own-settings.ts";

/**
 * Has the commands of a session write down how they end when the client is gone: by a line in the file that the client
 * obeys before each of them. Switched off, the line goes.
 */
export function recordEndings(world: HookWorld): void {
  const { env, home, scriptsDir } = world;
  const file = env["CLAUDE_ENV_FILE"];
  if (file === undefined || !path.isAbsolute(file)) return;
  try {
    const isOn = hasProc() && readOwnSetting(world, ({ hooks }) => hooks?.exitCodes) !== false;
    if (!isOn || scriptsDir === undefined) return setEnvLine(file);
    const { clientEndingsDir } = holdfastPaths(ensurePrivateDir(home));
    const script = path.join(scriptsDir, "record-ending.sh");
    setEnvLine(file, envLine({ script, endingsDir: ensurePrivateDir(clientEndingsDir) }));
  } catch (error) {
    logFailure(home, error, { now: world.clock.now() });
  }
}
