/** Logs are spread over at most so many streams; on one disk more than one only costs. */
export const logShardsMax = 16;
/** Events of one session's log; beyond it a run ends rather than filling the servers' disks. */
export const logEventsMax = 200_000;
/** Kept free of them, so that a run whose log is full can still say how it ended. */
export const logEventsReserved = 100;
/** Logs and session states are kept this long unless they are purged before. */
export const logAgeMsMax: number = 30 * 24 * 60 * 60 * 1000;
/** Controls (cancel, steer, answers) matter only to a run that goes on. */
export const controlAgeMsMax: number = 7 * 24 * 60 * 60 * 1000;
/** A run is a worker's for this long after its last sign of life: longer than a cluster needs for an election. */
export const runLeaseMs = 30_000;
/** Signs of life within a lease: five may be lost before the run goes to another worker. */
export const leaseBeatsPerLease = 6;
/** Without a confirmed write for this long, a worker asks whether the run is still its own before it uses a tool. */
export const unconfirmedMsMax = 20_000;
/** Runs that no worker has taken yet, and leases that the server keeps. */
export const queuedRunsMax = 100_000;
export const leasedRunsMax = 20_000;
/** Claims in a row that recorded nothing: the run itself ends its workers, so it is failed. */
export const fruitlessClaimsMax = 5;
/** The server remembers ids of messages this long, to notice one that was sent twice. */
export const duplicateWindowMs: number = 2 * 60 * 1000;
/** How long one request to the server may take before it is asked again. */
export const fleetRequestMs = 2000;
/** Between two pings; after two without an answer the connection counts as lost. */
export const fleetPingMs = 2000;
/** First connection: long enough for a cluster that is just electing, short enough for a person who mistyped an address. */
export const fleetConnectMs = 10_000;
/** A follower that has heard nothing for this long looks whether it has missed something. */
export const logSilenceMs = 5000;
/** Events read from a log in one request. */
export const logBatchMax = 256;
/** Live events held for a follower that is slower than the writer; then it reads them from the log. */
export const liveEventsMax = 1024;
/** A worker says this often that it is there; the list forgets it after three times that. */
export const workerBeatMs = 10_000;
/** A workspace on its way: larger ones are cloned from their remote instead. */
export const bundleBytesMax: number = 512 * 1024 * 1024;
/** Workspaces are kept as long as the logs they belong to. */
export const bundleChunkBytes: number = 512 * 1024;
