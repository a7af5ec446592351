/** Runs that one worker takes at once. */
export const workerSlotsMax = 1000;
/** Names of what was left out of a kept workspace, for people: the first ones tell what it is about. */
export const leftOutMax = 20;
/** A workspace is kept this often while its agent changes it: so much work on files a dead worker loses at most. */
export const workspaceCheckpointMs = 10_000;
/** A run tells how far it is this often; each time is a message that is kept. */
export const fleetProgressMs = 5000;
/** What the sub-agents of a run have used is told this often: so much a worker that is killed may have kept to itself. */
export const runSpendingMs = 1000;
/** A watched overview of the fleet is asked for this often. */
export const fleetStatusMs = 1000;
