import type { Clock } from "../../lib/clock.ts";
import { once } from "../../lib/once.ts";
import { hasProc } from "../../lib/process-table.ts";
import { smallLauncherRssBytes } from "../kinds/shell/limits.ts";
import type { LaunchContext } from "./launch-task.ts";
import type { OwnPrograms } from "./own-program.ts";
import type { SmallLauncher } from "./small-launcher.ts";

export interface LauncherOptions {
  home: string;
  /** The environment that commands get. */
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  /** What agents and remote runs are looked after by. */
  programs: OwnPrograms;
}

/** Starts the supervisors of one runtime. Nothing is loaded before the first launch. */
export interface Launcher {
  context(): Promise<LaunchContext & { programs: OwnPrograms }>;
  close(): Promise<void>;
}

export function openLauncher({ home, env: given, clock, programs }: LauncherOptions): Launcher {
  let small: SmallLauncher | undefined;
  const context = once(async () => {
    const { spawnSupervisor, startTask } = await import("./start-process.ts");
    // A copy: reading the process's own environment takes longer than all the rest of a launch.
    const env = { ...given };
    const start: LaunchContext["start"] = async (request) => {
      // Elsewhere starting a process copies no memory, and setsid is missing.
      const isLarge = hasProc() && process.memoryUsage.rss() >= smallLauncherRssBytes;
      if (isLarge) small ??= new (await import("./small-launcher.ts")).SmallLauncher(env);
      await startTask(request, isLarge ? small!.spawnSupervisor : spawnSupervisor);
    };
    return { home, env, clock, programs, start };
  });
  return { context, close: async () => small?.close() };
}
