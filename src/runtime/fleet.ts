import type { AgentLaunchContext } from "../agents/launch/launch-agent.ts";
import type { Homecoming, HomecomingOptions } from "../fleet/runs/bring-home.ts";
import type { RemoteAgentRequest } from "../fleet/runs/dispatch-agent.ts";
import type { FleetOverview } from "../fleet/runs/fleet-overview.ts";
import type { HomeWorkerOptions } from "../fleet/runs/home-worker.ts";
import type { RemoteRequest } from "../fleet/runs/launch-remote.ts";
import type { FleetSession } from "../fleet/runs/read-session.ts";
import type { ClusterConfig, ClusterNode } from "../fleet/server/cluster-config.ts";
import type { EmbeddedServer } from "../fleet/server/embedded-server.ts";
import type { FleetPlace } from "../fleet/server/fleet-address.ts";
import type { FleetHealth } from "../fleet/server/fleet-health.ts";
import type { Role } from "../fleet/server/roles.ts";
import type { FleetConnection } from "../fleet/transport/connection.ts";
import type { LayoutFinding } from "../fleet/transport/ensure-layout.ts";
import type { FleetShape } from "../fleet/transport/layout.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { TaskOrId } from "../tasks/look-at-tasks.ts";
import type { Tasks } from "../tasks/open-tasks.ts";
import { readTask, type Task } from "../tasks/record/task.ts";
import type { OwnPrograms } from "../tasks/supervise/own-program.ts";

/** Agents on other machines: runs of this home, sessions of all of them, and what a machine does for the fleet. */
export interface Fleet {
  /** Sends an agent to the fleet with its folder, and follows it here as a task. */
  start(request: RemoteAgentRequest): Promise<Task>;
  /**
   * Follows a session that another machine dispatched as a task, by its id, a unique prefix or the address of its log.
   */
  follow(session: string, options: { cwd: string }): Promise<Task>;
  /** Ends a run there, and brings its transcript and its folder home. */
  bringHome(task: TaskOrId, options?: HomecomingOptions): Promise<Homecoming>;

  /** Whether this machine knows one. Asks nobody. */
  isKnown(): Promise<boolean>;
  /** Workers, sessions and queues at this moment. */
  overview(): Promise<FleetOverview>;
  /** The same once a second, until whoever reads it stops. */
  watch(): AsyncGenerator<FleetOverview>;
  /** A session of any machine. Throws `run_not_found`. */
  read(session: string): Promise<FleetSession>;
  /**
   * Removes an ended session from the servers. Copies on other machines stay. Throws `fleet_conflict` while it runs.
   */
  remove(session: string): Promise<RemovedSession>;

  /** Starts a server of one node on this machine that outlives this process, or returns the one that runs. */
  up(options?: ServerOptions): Promise<{ server: EmbeddedServer; isNew: boolean }>;
  /** Stops it. Its data is there again after the next `up`. False if none runs. */
  down(): Promise<boolean>;
  /** Makes or fixes the streams, buckets and queues on the servers. */
  init(shape?: FleetShape): Promise<LayoutFinding[]>;
  /** Writes the configuration of every node of a cluster, and a key for each role. */
  writeConfig(dir: string, nodes: readonly ClusterNode[]): Promise<ClusterConfig>;
  /** Runs agents of the fleet on this machine until the signal. */
  work(options: HomeWorkerOptions): Promise<void>;
  /** The state of the fleet; undefined if none is known. Changes nothing. */
  health(): Promise<FleetHealth | undefined>;
}

export interface RemovedSession {
  sessionId: string;
  events: number;
  objects: number;
}

export interface ServerOptions {
  port?: number | undefined;
  /** How long a silent worker keeps its runs. */
  leaseMs?: number | undefined;
}

export interface FleetOptions {
  place: FleetPlace;
  programs: OwnPrograms;
  launchContext: () => Promise<AgentLaunchContext>;
  onLaunched: (task: Task) => Promise<void>;
  tasks: Tasks;
  sessions: SessionStore;
}

/** Each verb is loaded when it is used: the client of the servers is large. */
export function openFleet(options: FleetOptions): Fleet {
  const { place, programs, launchContext, onLaunched, tasks, sessions } = options;
  const launch = async (request: RemoteRequest): Promise<Task> => {
    const { launchRemote } = await import("../fleet/runs/launch-remote.ts");
    const task = readTask((await launchRemote(await launchContext(), request)).files)!;
    await onLaunched(task);
    return task;
  };
  const onFleet = async <T>(role: Role, work: (connection: FleetConnection) => Promise<T>): Promise<T> =>
    (await import("../fleet/server/with-fleet.ts")).withFleet(place, role, work);
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
    async isKnown() {
      const { findFleetAddress } = await import("../fleet/server/fleet-address.ts");
      return findFleetAddress(place, "watcher") !== undefined;
    },
    async overview() {
      const { readOverview } = await import("../fleet/runs/fleet-overview.ts");
      return onFleet("watcher", readOverview);
    },
    async *watch() {
      yield* (await import("../fleet/runs/fleet-overview.ts")).watchOverview(place);
    },
    async read(session) {
      return (await import("../fleet/runs/read-session.ts")).readSession(place, session);
    },
    async remove(session) {
      const { findFleetSession } = await import("../fleet/runs/find-fleet-session.ts");
      const { removeSession } = await import("../fleet/transport/remove-session.ts");
      return onFleet("admin", async (connection) => {
        const state = await findFleetSession(connection, session);
        return { sessionId: state.sessionId, ...(await removeSession(connection, state)) };
      });
    },
    async up(server = {}) {
      const { startEmbeddedServer } = await import("../fleet/server/embedded-server.ts");
      const { serverSearch } = await import("../fleet/server/find-nats-server.ts");
      return startEmbeddedServer(place.home, { search: serverSearch(place.variables), ...server });
    },
    async down() {
      return (await import("../fleet/server/embedded-server.ts")).stopEmbeddedServer(place.home);
    },
    async init(shape = {}) {
      const { ensureLayout } = await import("../fleet/transport/ensure-layout.ts");
      return onFleet("admin", (connection) => ensureLayout(connection, shape));
    },
    async writeConfig(dir, nodes) {
      return (await import("../fleet/server/cluster-config.ts")).writeClusterConfig(dir, nodes);
    },
    async work(worker) {
      return (await import("../fleet/runs/home-worker.ts")).runHomeWorker(place, programs, worker);
    },
    async health() {
      return (await import("../fleet/server/fleet-health.ts")).fleetHealth(place);
    },
  };
}
