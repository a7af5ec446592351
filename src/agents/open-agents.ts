import { codeOf } from "../lib/errors.ts";
import { once } from "../lib/once.ts";
import { agentOutputWaitSeconds, agentOutputWaitSecondsMax } from "../tasks/limits.ts";
import { taskError } from "../tasks/errors.ts";
import type { ClientAgent } from "./client-agent.ts";
import type { ClientAgentPlace } from "./read-client-agent.ts";
import { holdfastPaths } from "../format/paths.ts";
import type { AgentOutput } from "../tasks/kinds/agent/agent-output.ts";
import type { Telling } from "../tasks/output/task-output.ts";
import type { AgentProgress, NeededInput } from "../tasks/kinds/agent/agent-progress.ts";
import type { AgentResult } from "../tasks/kinds/agent/agent-result.ts";
import type { RunnerSpec } from "../tasks/kinds/agent/agent-settings.ts";
import type { TaskOrId } from "../tasks/look-at-tasks.ts";
import type { Tasks, TasksOptions } from "../tasks/open-tasks.ts";
import type { AnswerFile, GivenAnswer } from "../tasks/kinds/agent/permission-answer.ts";
import type { AgentTypes } from "./types/find-agent-type.ts";
import { countBusy } from "../tasks/record/running-tasks.ts";
import { readTask, type Task } from "../tasks/record/task.ts";
import type { TaskFiles } from "../tasks/record/task-files.ts";
import type { Launcher } from "../tasks/supervise/open-launcher.ts";
import type { Entry } from "../format/entries/entry.ts";
import type { AgentEntriesOptions } from "./agent-entries.ts";
import type { AgentChoice } from "./choose-agent.ts";
import type { AgentTask } from "./host/host-local-agent.ts";
import type { InProcessRequest } from "./host/run-in-process.ts";
import type { AgentRequest } from "./launch/agent-request.ts";
import type { ContinueRequest } from "./launch/continue-agent.ts";
import type { AgentLaunchContext } from "./launch/launch-agent.ts";
import type { FromSessionRequest } from "./main-session/ask-from-session.ts";
import type { MainSessionContext } from "./main-session/background-session.ts";
import type {
  BackgroundSessionRequest,
  MainSession,
  MainSessionRequest,
  RegisteredSession,
} from "./main-session/main-session.ts";

/** Verbs for agents, in addition to those for every task. */
export interface Agents {
  /**
   * Chooses the runner of an agent: the requested one, else the API if there is a key, else the first agent on the
   * PATH. Throws `no_agent` if there is none.
   */
  choose(choice: AgentChoice, place: { cwd: string }): Promise<RunnerSpec>;
  /**
   * Runs an agent in a process of its own. Acknowledged once record and prompt are on the disk and it is
   * started. Throws `runner_invalid`, `task_refused`, `task_limit` or `launch_failed`.
   */
  start(request: AgentRequest): Promise<Task>;
  /** Runs an agent in this process, with a runner of the caller's; it ends with this process. */
  run(request: InProcessRequest): Promise<{ task: Task; result: Promise<AgentResult> }>;
  /**
   * Continues an ended agent as a new task with the same conversation. Throws `task_refused` if that is not possible,
   * `conflict` if another process continues it.
   */
  continue(task: TaskOrId, request?: ContinueRequest): Promise<Task>;
  /** Sends a message to an agent, which gets it between two turns. Throws `no_stdin` when it has ended. */
  send(task: TaskOrId, text: string): Promise<void>;
  /**
   * Answers the question of an agent, by its `requestId`. Throws `not_waiting` if it does not ask anything, `conflict`
   * if it asks another question by now.
   */
  answer(task: TaskOrId, options: GivenAnswer): Promise<NeededInput>;
  /** How a question of an agent was answered, and by whom; undefined while it was not. */
  answered(task: TaskOrId, requestId: string): Promise<AnswerFile | undefined>;
  /** Every task of an agent, running or ended, newest first. */
  list(): Promise<Task[]>;
  /** Every agent that can be asked for by name, and whether it is there, in the order in which one is chosen. */
  known(): Promise<{ name: string; isFound: boolean }[]>;
  /** The types of agents that can be asked for in a folder: its own, the user's and the built-in ones. */
  types(where: { cwd: string }): Promise<AgentTypes>;
  /**
   * An agent that a client ran, by its id or a unique beginning: no task, but known to a transcript, the archive or a manifest.
   * Undefined if none knows it.
   * Throws `session_ambiguous`.
   */
  ofClient(id: string): Promise<ClientAgent | undefined>;
  /** The progress of an agent; undefined before its first message. */
  progress(task: TaskOrId): Promise<AgentProgress | undefined>;
  /** The conversation of an agent with its model, entry by entry. */
  entries(task: TaskOrId, options?: AgentEntriesOptions): AsyncGenerator<Entry>;
  /** The answer of an agent. Waits for it, 0 to 300 seconds (default: 150). Throws `not_supported`. */
  output(
    task: TaskOrId,
    options: { block?: boolean; waitUpToSeconds?: number; signal?: AbortSignal } & Telling,
  ): Promise<AgentOutput>;
  /**
   * Makes a task of the conversation of a chat. Its query is driven by the caller, or by the task. The task has an id
   * `s…`, runs in this process, and starts in the background.
   */
  registerSession(request: MainSessionRequest): Promise<RegisteredSession>;
  /** The same for a running query: it continues from where it is, driven by the task. */
  backgroundSession(request: BackgroundSessionRequest): Promise<MainSession>;
  /**
   * Asks something in the background from where the conversation of a session is now, in a process of its own, whatever
   * runs there. Prompt and answer become part of that conversation. Throws `task_refused` if the session is empty.
   */
  askFromSession(request: FromSessionRequest): Promise<Task>;
  /**
   * Brings a main session of this process to the front. Returns the one that was in front, which goes to the
   * background.
   */
  foregroundSession(id: string): MainSession | undefined;
  /** The main sessions of this process that have not ended. */
  mainSessions(): MainSession[];
}

export interface AgentsOptions extends Pick<TasksOptions, "home" | "onLaunched" | "onIndexTrouble"> {
  /** The client's config folder, where the transcripts of agents go. */
  configDir: string;
  /** The user's settings, where they are not in the home. */
  settingsFile?: string | undefined;
  launcher: Launcher;
  tasks: Tasks;
  /** Looks an agent of a client up in the manifests of launches; without it, only transcripts are asked. */
  findRecorded?: ClientAgentPlace["findRecorded"] | undefined;
}

/** Opens the agents of a home. Each verb is loaded when it is first used. */
export function openAgents(agentsOptions: AgentsOptions): Agents {
  const { home, configDir, settingsFile, launcher, tasks, onLaunched, onIndexTrouble } = agentsOptions;
  const { findRecorded = async () => undefined } = agentsOptions;
  const context = once(async (): Promise<AgentLaunchContext> => ({
    ...(await launcher.context()),
    configDir,
    settingsFile,
  }));
  const announced = async (files: TaskFiles): Promise<Task> => {
    const task = readTask(files)!;
    await onLaunched?.(task);
    return task;
  };
  const find = async (task: TaskOrId): Promise<Task> => (typeof task === "string" ? tasks.find(task) : task);
  const parentOf = async ({
    parentTaskId,
  }: Pick<AgentRequest, "parentTaskId">): Promise<Task["record"] | undefined> =>
    parentTaskId === undefined ? undefined : (await find(parentTaskId)).record;
  // Those that have not ended; at most one of them is in the foreground.
  const sessions = new Map<string, MainSession>();
  const keep = async <Session extends MainSession>(session: Session): Promise<Session> => {
    const { record, files } = session.task;
    sessions.set(record.id, session);
    const forget = (): void => void sessions.delete(record.id);
    session.result.then(forget, forget);
    await announced(files);
    return session;
  };
  const ownTasks = async (): Promise<MainSessionContext> => {
    const { agentTasks } = await import("./host/agent-tasks.ts");
    const tasksOf = (agent: AgentTask) => agentTasks({ tasks, agents }, agent);
    return { ...(await context()), tasksOf };
  };
  const agents: Agents = {
    async choose(choice, { cwd }) {
      const { chooseAgent } = await import("./choose-agent.ts");
      return chooseAgent(choice, { cwd, variables: (await context()).env });
    },
    async start(request) {
      const { agentPlaces, launchAgent } = await import("./launch/launch-agent.ts");
      const { orQueued } = await import("../tasks/kinds/shell/start-shell.ts");
      const after = await Promise.all((request.after ?? []).map(find));
      const place = await context();
      const state = { after: after.map((task) => task.files.base), parent: await parentOf(request) };
      const { files } = await orQueued(request, countBusy(home, agentPlaces), (running) =>
        launchAgent(place, request, { ...state, running }),
      );
      return announced(files);
    },
    async run(request) {
      const { runInProcess } = await import("./host/run-in-process.ts");
      const { tasksOf, ...place } = await ownTasks();
      const { task, result } = await runInProcess(place, request, {
        parent: await parentOf(request),
        tasksOf,
      });
      return { task: await announced(task.files), result };
    },
    async continue(task, request = {}) {
      const [{ continueAgent }, { agentPlaces }] = await Promise.all([
        import("./launch/continue-agent.ts"),
        import("./launch/launch-agent.ts"),
      ]);
      const state = { running: countBusy(home, agentPlaces), after: [] };
      const { files } = await continueAgent(await context(), await find(task), request, state);
      return announced(files);
    },
    send: (task, text) => tasks.send(task, text),
    async answer(task, options) {
      const { answerPermission } = await import("../tasks/kinds/agent/permission-answer.ts");
      const { clock } = await context();
      return answerPermission((await find(task)).files, { ...options, clock });
    },
    async answered(task, requestId) {
      const { readAnswer } = await import("../tasks/kinds/agent/permission-answer.ts");
      return readAnswer((await find(task)).files, requestId);
    },
    async list() {
      return (await import("../tasks/list/list-tasks.ts")).listAgentTasks(home, {
        onTrouble: onIndexTrouble,
      });
    },
    async known() {
      return (await import("./known-agents.ts")).knownAgents((await context()).env);
    },
    types: async ({ cwd }) => (await import("./types/find-agent-type.ts")).readAgentTypes({ cwd, configDir }),
    async ofClient(id) {
      const { readClientAgent } = await import("./read-client-agent.ts");
      const { archiveDir } = holdfastPaths(home);
      const place = { configDir, archiveDir, findRecorded };
      return readClientAgent(place, { id, now: (await context()).clock.now() });
    },
    async progress(task) {
      const { readProgress } = await import("../tasks/kinds/agent/agent-progress.ts");
      return readProgress((await find(task)).files);
    },
    async *entries(task, options) {
      yield* (await import("./agent-entries.ts")).agentEntries(await find(task), options);
    },
    async output(given, { waitUpToSeconds = agentOutputWaitSeconds, ...options }) {
      if (!(waitUpToSeconds >= 0 && waitUpToSeconds <= agentOutputWaitSecondsMax)) {
        const range = `it must be between 0 and ${agentOutputWaitSecondsMax}`;
        throw new RangeError(`Cannot wait ${waitUpToSeconds} s: ${range}`);
      }
      const task = await find(given).catch(async (error: unknown) => {
        const ofClient =
          typeof given === "string" && codeOf(error) === "task_not_found" && (await agents.ofClient(given));
        if (ofClient) return ofClient;
        throw error;
      });
      if ("output" in task) return task.output;
      if (!task.record.agent)
        throw taskError("not_supported", `Cannot read agent "${task.record.id}": it is not an agent`);
      const { readAgentOutput } = await import("../tasks/kinds/agent/agent-output.ts");
      const { clock } = await context();
      return readAgentOutput(task, { ...options, timeoutMs: waitUpToSeconds * 1000, clock });
    },
    async registerSession(request) {
      const { registerMainSession } = await import("./main-session/background-session.ts");
      return keep(await registerMainSession(await ownTasks(), request));
    },
    async backgroundSession(request) {
      const { backgroundSession } = await import("./main-session/background-session.ts");
      return keep(await backgroundSession(await ownTasks(), request));
    },
    async askFromSession(request) {
      const [{ askFromSession }, { agentPlaces }] = await Promise.all([
        import("./main-session/ask-from-session.ts"),
        import("./launch/launch-agent.ts"),
      ]);
      const running = countBusy(home, agentPlaces);
      const { files } = await askFromSession(await context(), request, { running });
      return announced(files);
    },
    foregroundSession(id) {
      const session = sessions.get(id);
      if (!session)
        throw taskError(
          "task_not_found",
          `Cannot bring task "${id}" to the front: it does not run in this process`,
        );
      const before = agents.mainSessions().find((each) => each.isForeground && each !== session);
      before?.setForeground(false);
      session.setForeground(true);
      return before;
    },
    mainSessions: () => [...sessions.values()],
  };
  return agents;
}
