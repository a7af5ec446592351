/**
 * Owns the fleet: sessions whose agents run on other machines, over NATS JetStream. Dispatch, leases, the log of each
 * session, controls, workspaces on their way, workers, and the servers' configuration.
 * Never runs an agent itself: a worker gets a function for that. Never keeps a second truth: the log is the transcript.
 *
 * I1  What a log has acknowledged is on the servers' disks, in order, once.
 * I2  Only the newest claim of a session can append to its log; an older worker is fenced and stops.
 * I3  The state of a session is a projection: where it and the log disagree, the log is right.
 * I4  A finished run is recorded in the log first, then in the state; its lease is released last.
 * I5  Nothing that came over the wire becomes a path, a command or a git reference unchecked.
 */
export { connectFleet, type FleetAddress, type FleetConnection } from "./transport/connection.ts";
export { checkLayout, ensureLayout, type LayoutFinding } from "./transport/ensure-layout.ts";
export { checkFleet, type FleetFinding } from "./transport/check-fleet.ts";
export type { FleetShape } from "./transport/layout.ts";
export { dispatchRun, type DispatchedRun } from "./transport/dispatch-run.ts";
export type {
  BundledWorkspace,
  RunAgentSettings,
  RunRequest,
  RunWorkspace,
  StoredObject,
} from "./transport/run-request.ts";
export { sendControl, type Control, type ControlAnswer } from "./transport/controls.ts";
export {
  findSessionState,
  listSessionStates,
  type KeptState,
  type SessionState,
} from "./transport/session-states.ts";
export { removeSession } from "./transport/remove-session.ts";
export { readLog } from "./runs/claim-run.ts";
export type { LogPlace } from "./transport/names.ts";
export type { LogEvent, LoggedEvent, RunEnding, RunProgress, RunResult } from "./transport/log-event.ts";
export { runWorker, type WorkerEvent, type WorkerOptions } from "./runs/worker.ts";
export type { ClaimedRun, RunAgent } from "./runs/handle-run.ts";
export { listWorkers, type WorkerState } from "./transport/worker-list.ts";
export { followMessages, type FollowOptions } from "./transport/follow-messages.ts";
export type { StoredMessage } from "./transport/log-reader.ts";
export { LogWriter, type LogWriterOptions } from "./transport/log-writer.ts";
export type { RemoteAgentRequest } from "./runs/dispatch-agent.ts";
export type { Homecoming, HomecomingOptions } from "./runs/bring-home.ts";
export type { FleetOverview, QueueState } from "./runs/fleet-overview.ts";
export type { HomeWorkerOptions } from "./runs/home-worker.ts";
export type { FleetSession } from "./runs/read-session.ts";
export type { ClusterConfig, ClusterNode } from "./server/cluster-config.ts";
export type { EmbeddedServer } from "./server/embedded-server.ts";
export type { FleetHealth } from "./server/fleet-health.ts";
export type { FleetErrorCode } from "./errors.ts";
