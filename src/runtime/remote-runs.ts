import type { AgentLaunchContext } from "../agents/launch/launch-agent.ts";
import type { Homecoming, HomecomingOptions } from "../fleet/runs/bring-home.ts";
import type { RemoteAgentRequest } from "../fleet/runs/dispatch-agent.ts";
import type { RemoteRequest } from "../fleet/runs/launch-remote.ts";
import type { FleetPlace } from "../fleet/server/fleet-address.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { TaskOrId } from "../tasks/look-at-tasks.ts";
import type { Tasks } from "../tasks/open-tasks.ts";
import { readTask, type Task } from "../tasks/record/task.ts";

/** Runs of this home on other machines. */
export interface RemoteRuns {
  /** Sends an agent to the fleet with its folder, and follows it here as a task. */
  start(request: RemoteAgentRequest): Promise<Task>;
  /** Makes a task of a session that another machine dispatched, by its id, a unique prefix or the address of its log. */
  follow(session: string, options: { cwd: string }): Promise<Task>;
  /** Ends a run there, and brings its transcript and its folder home. */
  bringHome(task: TaskOrId, options?: HomecomingOptions): Promise<Homecoming>;
}

export interface RemoteRunsOptions {
  place: FleetPlace;
  launchContext: () => Promise<AgentLaunchContext>;
  onLaunched: (task: Task) => Promise<void>;
  tasks: Tasks;
  sessions: SessionStore;
}

export function openRemoteRuns(options: RemoteRunsOptions): RemoteRuns {
  const { place, launchContext, onLaunched, tasks, sessions } = options;
  const launch = async (request: RemoteRequest): Promise<Task> => {
    const { launchRemote } = await import("../fleet/runs/launch-remote.ts");
    const task = readTask((await launchRemote(await launchContext(), request)).files)!;
    await onLaunched(task);
    return task;
  };
  return {
    async start(request) {
      return (await import("../fleet/runs/dispatch-agent.ts")).dispatchAgent(place, request, launch);
    },
    async follow(session, { cwd }) {
      const { requestToFollow } = await import("../fleet/runs/follow-session.ts");
      return launch(await requestToFollow(place, session, { cwd }));
    },
    async bringHome(task, homecoming = {}) {
      const { bringHome } = await import("../fleet/runs/bring-home.ts");
      return bringHome(place, { tasks, sessions }, await tasks.refresh(task), homecoming);
    },
  };
}
