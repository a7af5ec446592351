import { residentLauncherRssBytes } from "../kinds/shell/limits.ts";
import { taskMarker } from "./task-processes.ts";
import type { ResidentLauncher } from "./resident-launcher.ts";
import type { TaskStarter, UncheckedStarter } from "./start-process.ts";

export interface ProcessStarter {
  start: TaskStarter;
  /** Undefined as long as there is no small process. */
  uncheckedStarter: () => UncheckedStarter | undefined;
  close: () => void;
}

/** Starts supervisors: a large process, or one that starts a second task, keeps a small one to start the rest. */
export function processStarter(env: Record<string, string | undefined>): ProcessStarter {
  let launcher: ResidentLauncher | undefined;
  let started = 0;
  return {
    start: async (request) => {
      if (launcher) return launcher.start(request);
      if (++started === 1 && process.memoryUsage.rss() < residentLauncherRssBytes) {
        return (await import("./start-process.ts")).startHere(request);
      }
      const { ResidentLauncher } = await import("./resident-launcher.ts");
      launcher ??= new ResidentLauncher(definedOnly({ ...env, [taskMarker]: undefined }));
      return launcher.start(request);
    },
    uncheckedStarter: () => launcher?.startUnchecked,
    close: () => launcher?.close(),
  };
}

function definedOnly(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
