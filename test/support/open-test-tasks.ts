import path from "node:path";
import { openAgents, type Agents } from "../../src/agents/open-agents.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { ownPrograms } from "../../src/runtime/own-programs.ts";
import { openTasks, type Tasks } from "../../src/tasks/open-tasks.ts";
import { openLauncher } from "../../src/tasks/supervise/open-launcher.ts";
import { SmallLauncher } from "../../src/tasks/supervise/small-launcher.ts";
import { startTask } from "../../src/tasks/supervise/start-process.ts";

export interface TestTasksOptions {
  home: string;
  configDir?: string;
  env?: Record<string, string | undefined>;
  clock?: Clock;
  isSessionAlive?: (sessionId: string) => boolean;
  /** As a process with much memory does it. */
  bySmallLauncher?: boolean;
}

/** Tasks and agents of a home, without the manifests and sessions around them. */
export function openTestTasks(options: TestTasksOptions): { tasks: Tasks; agents: Agents } {
  const { home, configDir = path.join(home, "claude"), env = {}, clock = systemClock } = options;
  const { isSessionAlive = () => false } = options;
  const launcher = openLauncher({ home, env, clock, programs: ownPrograms() });
  if (options.bySmallLauncher) {
    const small = new SmallLauncher(env);
    const context = launcher.context.bind(launcher);
    launcher.context = async () => ({
      ...(await context()),
      start: (request) => startTask(request, small.spawnSupervisor),
    });
    launcher.close = async () => small.close();
  }
  const tasks = openTasks({ home, clock, launcher, isSessionAlive });
  return { tasks, agents: openAgents({ home, configDir, launcher, tasks }) };
}
