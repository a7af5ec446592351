import type { Clock } from "../../lib/clock.ts";
import { once } from "../../lib/once.ts";
import type { LaunchContext } from "./launch-task.ts";
import type { OwnPrograms } from "./own-program.ts";
import type { ProcessStarter } from "./process-starter.ts";

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
  let starter: ProcessStarter | undefined;
  const context = once(async () => {
    const { processStarter } = await import("./process-starter.ts");
    // A copy: reading the process's own environment takes longer than all the rest of a launch.
    const env = { ...given };
    starter = processStarter(env);
    const { start, uncheckedStarter } = starter;
    return { home, env, clock, programs, start, uncheckedStarter };
  });
  return { context, close: async () => starter?.close() };
}
