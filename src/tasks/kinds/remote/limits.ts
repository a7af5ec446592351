/** How long a stop may take that goes over the fleet to a worker: as long as the worker's lease, and some. */
export const remoteStopMs = 45_000;
