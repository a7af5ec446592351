/** PATH_MAX of Linux: a longer path cannot be opened. */
export const pathLengthMax = 4096;
/** Ids are some dozen characters; a manifest line has room for this one, however it is escaped. */
export const launchIdLengthMax = 1000;
/** Input of a hook that is read; a tool's answer may be far larger, but no launch is. */
export const hookInputBytesMax: number = 8 * 1024 * 1024;
/** A hook that has not got its input by then gives up: the client waits for it. */
export const hookInputWaitMs = 5000;
/** The log of what went wrong in hooks; then it begins anew, and the last one is kept beside it. */
export const hookLogBytesMax: number = 256 * 1024;
/** How long a hook that is to wake an idle session waits for a task; the client's own limit is the same. */
export const wakeWaitMs: number = 10 * 60 * 1000;
/** The guard that keeps sessions runs at a start of a session, if it did not for this long. */
export const keepIntervalMs: number = 24 * 60 * 60 * 1000;
