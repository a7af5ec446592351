import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AgentLaunchContext } from "../agents/launch/launch-agent.ts";
import { openAgents, type Agents } from "../agents/open-agents.ts";
import { isOpenToAll } from "../lib/private-dir.ts";
import { systemClock, type Clock } from "../lib/clock.ts";
import type { ExportOptions } from "../conversation/export/export-session.ts";
import type { Brief } from "../recovery/brief.ts";
import type { Launched } from "../recovery/launches-since.ts";
import type { Recovery } from "../recovery/recovery.ts";
import type { SessionRef } from "../store/list/find-session.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { SessionStore } from "../store/session-store.ts";
import { isSessionPresent } from "../store/write/session-presence.ts";
import { openTasks, type Tasks } from "../tasks/open-tasks.ts";
import type { Task } from "../tasks/record/task.ts";
import { openLauncher } from "../tasks/supervise/open-launcher.ts";
import type { BriefQuery } from "./brief.ts";
import { openFinding, type Finding } from "./finding.ts";
import { openHealth, type Health } from "./health.ts";
import { openHookPlugin, type HookPlugin } from "./hook-plugin.ts";
import type { PruneAllOptions, Pruned } from "./pruning.ts";
import { ownPrograms } from "./own-programs.ts";
import { openStarting, type Starting } from "./starting/open-starting.ts";
import { openSettings, type Settings } from "./settings.ts";
import { openThreadsOf, type Threads } from "./threads.ts";
import { placesOf, settingsFileOf, userNameOf, type Places, type Variables } from "./places.ts";
import { openFleet, type Fleet } from "./fleet.ts";
import { openAside, type Aside } from "./aside/open-aside.ts";

export interface RuntimeOptions extends Partial<Places> {
  /** The environment of the commands that it runs; by default that of this process. Never recorded. */
  env?: Variables;
  clock?: Clock;
  /** Called for each folder that cannot be read during a listing. */
  onUnreadable?: (dir: string, error: Error) => void;
  /** Called when the index cannot be used, so that an answer comes from the files and takes longer. */
  onIndexTrouble?: (trouble: IndexTrouble) => void;
  /** Called when everybody on this machine may write to the home. Then nothing is started in it. */
  onOpenHome?: () => void;
}

export interface RecoverQuery {
  /** The project; without it, all of them. */
  cwd?: string | undefined;
  /** The session that asks: without what it was told, and without the news of other live sessions. */
  sessionId?: string | undefined;
  /** Also what that session was told before, as `seen`. */
  withSeen?: boolean | undefined;
  /** Only recorded launches, which takes some milliseconds; unrecorded work is not looked for. */
  onlyRecorded?: boolean | undefined;
}

export interface LaunchesQuery {
  since: Date;
  /** The project; without it, all of them. */
  cwd?: string | undefined;
}

/** Everything Holdfast knows and does below one home. */
export interface Runtime extends Places, Finding {
  /** The settings, and where each value comes from. */
  readonly settings: Settings;
  /** Conversations and what belongs to them. */
  readonly sessions: SessionStore;
  /** Background work of every kind, and shell commands. */
  readonly tasks: Tasks;
  /** Agents in the background. */
  readonly agents: Agents;
  /** Conversations with an agent in this process. */
  readonly threads: Threads;
  /** Agents on other machines. */
  readonly fleet: Fleet;
  /** Starting work as somebody asks for it. */
  readonly starting: Starting;
  /** The same in threads of their own, for a process that must not be held up: a server, a screen. */
  readonly aside: Aside;
  /** What is wrong, and its repair. */
  readonly health: Health;
  /** The hooks of Claude Code. */
  readonly plugin: HookPlugin;
  /**
   * Background work of a project (or of all projects), Holdfast's and the client's: what runs, what finished unseen,
   * what was lost.
   */
  recover(options?: RecoverQuery): Promise<Recovery>;
  /**
   * Every background launch since a moment, newest first, of a project or of all, whoever was told of it: Holdfast's and the
   * client's, with the beginning of the prompt and the machine.
   */
  launches(query: LaunchesQuery): Promise<Launched[]>;
  /**
   * The same as recover() as a text for an agent, within the limits of clients: facts, no commands. Undefined if there is nothing to
   * report.
   */
  brief(options: BriefQuery): Promise<Brief | undefined>;
  /** A conversation as text, piece by piece, with secrets redacted. Throws `not_a_transcript`. */
  export(session: SessionRef, options?: ExportOptions): AsyncGenerator<string, void>;
  /** Removes ended tasks, trash and backups that are too old, or too large together. */
  prune(options?: PruneAllOptions): Promise<Pruned>;
  /** Removes ended tasks whose time has come by the settings, as far as it takes 50 ms. Never throws. */
  pruneDue(): Promise<void>;
  /** Releases what was opened. Tasks continue. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the runtime: without options on the user's own home and config folder, as the command line does. No daemon is
 * started: any process that opens the same home sees the same. Each part is loaded when it is first used.
 */
export function openRuntime(options: RuntimeOptions = {}): Runtime {
  const { env = process.env, clock = systemClock, onUnreadable, onIndexTrouble } = options;
  const own = placesOf(env);
  // Absolute, because supervisors and programs work in other folders.
  const home = path.resolve(options.home ?? own.home);
  const configDir = path.resolve(options.configDir ?? own.configDir);
  const settingsFile = path.resolve(options.settingsFile ?? settingsFileOf(home, env));
  const stat = options.onOpenHome && fs.lstatSync(home, { throwIfNoEntry: false });
  if (stat && isOpenToAll(stat)) options.onOpenHome?.();
  const place = { home, configDir, settingsFile, env, clock, onUnreadable, onIndexTrouble };
  const programs = ownPrograms();
  const launcher = openLauncher({ home, env, clock, programs });
  const launchContext = async (): Promise<AgentLaunchContext> => ({
    ...(await launcher.context()),
    configDir,
    settingsFile,
  });
  const onLaunched = async (task: Task): Promise<void> =>
    (await import("../recovery/record-launch.ts")).recordLaunch(task, place);
  const tasks = openTasks({
    ...place,
    launcher,
    onLaunched,
    isSessionAlive: (sessionId) => isSessionPresent(place, sessionId),
    onRemote: () =>
      void import("../fleet/runs/attend-remote.ts")
        .then(async ({ attendRemote }) => attendRemote(await launchContext()))
        // Whoever looks next tries again.
        .catch(() => {}),
  });
  const sessions = openSessionStore({
    ...place,
    userHome: os.homedir(),
    isTaskOver: async (task) => (await import("../tasks/record/is-over.ts")).isOver(home, task),
  });
  const agents = openAgents({
    ...place,
    launcher,
    tasks,
    onLaunched,
    findRecorded: async (id) => (await import("./recorded-agent.ts")).findRecordedAgent(place, id),
  });
  const aside = openAside({ home, configDir, settingsFile, env });
  const close = async (): Promise<void> => {
    await Promise.all([tasks.close(), aside.close()]);
  };
  const settings = openSettings({ home, settingsFile, variables: env });
  const fleet = openFleet({
    programs,
    place: { home, configDir, settingsFile, variables: env, userName: userNameOf(env) },
    launchContext,
    onLaunched,
    tasks,
    sessions,
  });
  return {
    home,
    configDir,
    settingsFile,
    settings,
    sessions,
    tasks,
    agents,
    threads: openThreadsOf({ sessions, tasks, agents, home, settingsFile, configDir, env }),
    fleet,
    starting: openStarting({ home, env, tasks, agents, settings, fleet }),
    ...openFinding({ ...place, agents }),
    aside,
    health: openHealth({ ...place, variables: env }),
    plugin: openHookPlugin(place),
    async recover({ cwd: projectDir, sessionId, withSeen, onlyRecorded } = {}) {
      const query = { ...place, projectDir, sessionId, withSeen };
      if (onlyRecorded) return (await import("../recovery/recover.ts")).recover(query);
      return (await import("../recovery/survey.ts")).survey(query);
    },
    launches: async ({ cwd: projectDir, since }) =>
      (await import("../recovery/launches-since.ts")).launchesSince({ ...place, projectDir, since }),
    brief: async (query) => (await import("./brief.ts")).makeBrief(place, query),
    async *export(session, exportOptions) {
      const { exportSession } = await import("../conversation/export/export-session.ts");
      yield* exportSession(sessions, session, exportOptions);
    },
    prune: async (limits = {}) => (await import("./pruning.ts")).pruneAll({ ...place, tasks }, limits),
    pruneDue: async () => (await import("./pruning.ts")).pruneDue({ ...place, tasks }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
