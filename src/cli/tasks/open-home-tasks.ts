import { systemClock } from "../../lib/clock.ts";
import { isSessionPresent } from "../../store/session-presence.ts";
import { openTasks, type Tasks } from "../../tasks/open-tasks.ts";
import type { Environment } from "../environment.ts";

/** The tasks of the home; what is launched is put down in the manifest. */
export function openHomeTasks(environment: Environment): Tasks {
  const { home, configDir, variables } = environment;
  return openTasks({
    home,
    configDir,
    env: variables,
    clock: systemClock,
    isSessionAlive: (sessionId) => isSessionPresent(environment, sessionId),
    onLaunched: async (task) => {
      const { recordLaunch } = await import("../../recovery/record-launch.ts");
      return recordLaunch(task, { home, configDir, clock: systemClock });
    },
  });
}
