import type { Clock } from "../../lib/clock.ts";
import { once } from "../../lib/once.ts";
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
      // Elsewhere starting a process copies no memory.
      const isLarge = process.platform === "linux" && residentBytes() >= smallLauncherRssBytes;
      if (isLarge) small ??= new (await import("./small-launcher.ts")).SmallLauncher(env);
      await startTask(request, isLarge ? small!.spawnSupervisor : spawnSupervisor);
    };
    return { home, env, clock, programs, start };
  });
  return { context, close: async () => small?.close() };
}

// Where Linux hides /proc, nobody can tell: then the plain way is right for every size.
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}
