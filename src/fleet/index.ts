/**
 * Owns the fleet: sessions whose agents run on other machines, over NATS JetStream. Dispatch, leases, the log of each
 * session, controls, workspaces on their way, workers, and the servers' configuration.
 * Never runs an agent itself: a worker is given how. Never keeps a truth of its own: the log is the transcript.
 *
 * I1  What a log has acknowledged is on the servers' disks, in order, once.
 * I2  Only the newest claim of a session can append to its log; an older worker is fenced and stops.
 * I3  The state of a session is a projection: where it and the log disagree, the log is right.
 * I4  A finished run says so in the log first, then in the state, and gives its lease back last.
 * I5  Nothing that came over the wire becomes a path, a command or a git reference unchecked.
 */
export { connectFleet, type FleetAddress, type FleetConnection } from "./connection.ts";
