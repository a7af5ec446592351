import fs from "node:fs";
import { agentOutputWaitSeconds, agentOutputWaitSecondsMax } from "../tasks/limits.ts";
import type { AgentRequest } from "./launch/agent-request.ts";
import type { AgentOutput } from "../tasks/kinds/agent/agent-output.ts";
import type { AgentProgress, NeededInput } from "../tasks/kinds/agent/agent-progress.ts";
import { readProgress } from "../tasks/kinds/agent/agent-progress.ts";
import type { AgentResult } from "../tasks/kinds/agent/agent-result.ts";
import type { GivenAnswer } from "../tasks/kinds/agent/permission-answer.ts";
import type { StartableTasks } from "./host/agent-tasks.ts";
import type { ContinueRequest } from "./launch/continue-agent.ts";
import type { AgentLaunchContext } from "./launch/launch-agent.ts";
import type { InProcessRequest } from "./host/run-in-process.ts";
import type { RemoteRequest } from "../fleet/runs/launch-remote.ts";
import type { MainSessionContext } from "./main-session/background-session.ts";
import type {
  BackgroundSessionRequest,
  MainSession,
  MainSessionRequest,
  RegisteredSession,
} from "./main-session/main-session.ts";
import { MainSessions } from "./main-session/main-sessions.ts";
import { taskError } from "../tasks/errors.ts";
import { findTask } from "../tasks/list/find-task.ts";
import { listRunning } from "../tasks/record/running-tasks.ts";
import { readTask, type Task } from "../tasks/record/task.ts";
import type { TaskFiles } from "../tasks/record/task-files.ts";
import type { TaskRecord } from "../tasks/record/task-record.ts";

/** What can be done with agents beside what can be done with every task. */
export interface AgentVerbs {
  /** Runs an agent in a process of its own. Acknowledged once record and prompt are on the disk and it is started. */
  startAgent(request: AgentRequest): Promise<Task>;
  /** Goes on with an agent that has ended, as a new task with the same conversation. */
  continueAgent(task: Task, request?: ContinueRequest): Promise<Task>;
  /** Runs an agent in this process, with a runner of the caller's; it ends with this process. */
  runAgentInProcess(request: InProcessRequest): Promise<{ task: Task; result: Promise<AgentResult> }>;
  /** Follows an agent that was dispatched to the fleet, in a process of its own. */
  followRemote(request: RemoteRequest): Promise<Task>;
  /** How far an agent is; undefined before its first message. */
  progress(task: Task): AgentProgress | undefined;
  /**
   * Answers the question that an agent waits for, by its `requestId`. Throws `not_waiting` when there is none, `conflict`
   * when it asks something else by now.
   */
  answerPermission(task: Task, options: GivenAnswer): Promise<NeededInput>;
  /**
   * Makes a task of the conversation of an interactive chat, whose query the caller goes on to drive, or which goes on by
   * itself. It has an id `s…`, runs in this process, and begins in the background.
   */
  registerMainSession(request: MainSessionRequest): Promise<RegisteredSession>;
  backgroundSession(request: BackgroundSessionRequest): Promise<MainSession>;
  /** Brings a main session of this process to the front; the one that was there goes back and is returned. */
  foregroundMainSession(id: string): MainSession | undefined;
  /** The main sessions of this process that have not ended. */
  mainSessions(): MainSession[];
  /** The older form of `output`: waits for seconds, between 0 and 300, by default 150. */
  agentOutput(
    task: Task,
    options: { block?: boolean; waitUpToSeconds?: number; signal?: AbortSignal; by: string },
  ): Promise<AgentOutput>;
}

export interface AgentVerbsOptions {
  /** Asked for later: agents that run in this process start tasks of their own. */
  tasks: () => StartableTasks;
  /** Told of every launch. */
  onLaunched: ((task: Task) => Promise<void>) | undefined;
}

export function agentVerbs(
  context: AgentLaunchContext,
  { tasks, onLaunched }: AgentVerbsOptions,
): AgentVerbs {
  const { home, clock } = context;
  const announced = async (files: TaskFiles): Promise<Task> => {
    const task = readTask(files)!;
    await onLaunched?.(task);
    return task;
  };
  const sessions = new MainSessions();
  const keep = async <Session extends MainSession>(session: Session): Promise<Session> => {
    sessions.add(session);
    await announced(session.task.files);
    return session;
  };
  const mainSessionContext = async (): Promise<MainSessionContext> => {
    const { agentTasks } = await import("./host/agent-tasks.ts");
    return { ...context, tasksOf: (agent) => agentTasks(tasks(), agent) };
  };
  return {
    async startAgent(request) {
      const { launchAgent } = await import("./launch/launch-agent.ts");
      const { files } = await launchAgent(context, request, {
        running: busyAgents(home),
        after: (request.after ?? []).map((id) => findTask(home, id).files.base),
        parent: parentOf(home, request),
      });
      return announced(files);
    },
    async continueAgent(task, request = {}) {
      const { continueAgent } = await import("./launch/continue-agent.ts");
      const { files } = await continueAgent(context, task, request, { running: busyAgents(home), after: [] });
      return announced(files);
    },
    async runAgentInProcess(request) {
      const { runInProcess } = await import("./host/run-in-process.ts");
      const { agentTasks } = await import("./host/agent-tasks.ts");
      const { task, result } = await runInProcess(context, request, {
        parent: parentOf(home, request),
        tasksOf: (agent) => agentTasks(tasks(), agent),
      });
      return { task: await announced(task.files), result };
    },
    async followRemote(request) {
      const { launchRemote } = await import("../fleet/runs/launch-remote.ts");
      return announced((await launchRemote(context, request)).files);
    },
    progress: ({ files }) => readProgress(files),
    async answerPermission(task, options) {
      const { answerPermission } = await import("../tasks/kinds/agent/permission-answer.ts");
      return answerPermission(task.files, { ...options, clock });
    },
    async registerMainSession(request) {
      const { registerMainSession } = await import("./main-session/background-session.ts");
      return keep(await registerMainSession(await mainSessionContext(), request));
    },
    async backgroundSession(request) {
      const { backgroundSession } = await import("./main-session/background-session.ts");
      return keep(await backgroundSession(await mainSessionContext(), request));
    },
    foregroundMainSession: (id) => sessions.bringToFront(id),
    mainSessions: () => sessions.list(),
    async agentOutput(task, { waitUpToSeconds = agentOutputWaitSeconds, ...options }) {
      if (!(waitUpToSeconds >= 0 && waitUpToSeconds <= agentOutputWaitSecondsMax)) {
        const range = `between 0 and ${agentOutputWaitSecondsMax} are possible`;
        throw new RangeError(`Cannot wait ${waitUpToSeconds} s: ${range}`);
      }
      if (!task.record.agent)
        throw taskError("not_supported", `Cannot read agent "${task.record.id}": it is no agent`);
      const { readAgentOutput } = await import("../tasks/kinds/agent/agent-output.ts");
      return readAgentOutput(task, { ...options, timeoutMs: waitUpToSeconds * 1000, clock });
    },
  };
}

function parentOf(
  home: string,
  { parentTaskId }: Pick<AgentRequest, "parentTaskId">,
): TaskRecord | undefined {
  return parentTaskId === undefined ? undefined : findTask(home, parentTaskId).record;
}

function busyAgents(home: string): string[] {
  return listRunning(home)
    .filter(({ ending }) => !fs.existsSync(ending))
    .map(({ base }) => base);
}
