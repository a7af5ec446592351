import type { AgentLaunchContext } from "../agents/launch/launch-agent.ts";
import { openAgents, type Agents } from "../agents/open-agents.ts";
import { systemClock, type Clock } from "../lib/clock.ts";
import type { Recovery } from "../recovery/recover.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { SessionStore } from "../store/session-store.ts";
import { isSessionPresent } from "../store/write/session-presence.ts";
import { openTasks, type Tasks } from "../tasks/open-tasks.ts";
import type { Task } from "../tasks/record/task.ts";
import { openLauncher } from "../tasks/supervise/open-launcher.ts";
import { openFinding, type Finding } from "./finding.ts";
import { ownPrograms } from "./own-programs.ts";
import { placesOf, userNameOf, type Places, type Variables } from "./places.ts";
import { openRemoteRuns, type RemoteRuns } from "./remote-runs.ts";

export interface RuntimeOptions extends Partial<Places> {
  /** The environment of the commands that it runs; by default that of this process. Never recorded. */
  env?: Variables;
  clock?: Clock;
  /** Told of folders that may not be read, while listing. */
  onUnreadable?: (dir: string, error: Error) => void;
  /** Told when the index is of no use, so that an answer comes from the files and takes longer. */
  onIndexTrouble?: (trouble: IndexTrouble) => void;
}

export interface RecoverQuery {
  /** The project; without it, all of them. */
  cwd?: string | undefined;
  /** For whom: without what it was told, and without the news of other sessions that live. */
  sessionId?: string | undefined;
}

/** Everything Holdfast knows and does below one home. */
export interface Runtime extends Places, Finding {
  readonly sessions: SessionStore;
  readonly tasks: Tasks;
  readonly agents: Agents;
  readonly fleet: RemoteRuns;
  /** Background work of a project (or of all), Holdfast's and the client's: what runs, finished unseen, or was lost. */
  recover(options?: RecoverQuery): Promise<Recovery>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the runtime: without options on the user's own home and config folder, as the command line does. No daemon is
 * started: any process that opens the same home sees the same. Each part is loaded when it is first used.
 */
export function openRuntime(options: RuntimeOptions = {}): Runtime {
  const { env = process.env, clock = systemClock, onUnreadable, onIndexTrouble } = options;
  const { home, configDir } = { ...placesOf(env), ...options };
  const place = { home, configDir, env, clock, onUnreadable, onIndexTrouble };
  const launcher = openLauncher({ home, env, clock, programs: ownPrograms() });
  const launchContext = async (): Promise<AgentLaunchContext> => ({
    ...(await launcher.context()),
    configDir,
  });
  const onLaunched = async (task: Task): Promise<void> =>
    (await import("../recovery/record-launch.ts")).recordLaunch(task, place);
  const tasks = openTasks({
    ...place,
    launcher,
    onLaunched,
    isSessionAlive: (sessionId) => isSessionPresent(place, sessionId),
    onRemote: () =>
      void import("../fleet/runs/attend-remote.ts").then(async ({ attendRemote }) =>
        attendRemote(await launchContext()),
      ),
  });
  const sessions = openSessionStore(place);
  const agents = openAgents({ home, configDir, launcher, tasks, onLaunched });
  const close = (): Promise<void> => tasks.close();
  return {
    home,
    configDir,
    sessions,
    tasks,
    agents,
    fleet: openRemoteRuns({
      place: { home, configDir, variables: env, userName: userNameOf(env) },
      launchContext,
      onLaunched,
      tasks,
      sessions,
    }),
    ...openFinding({ ...place, agents }),
    recover: async ({ cwd, sessionId } = {}) =>
      (await import("../recovery/survey.ts")).survey({ ...place, projectDir: cwd, sessionId }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
