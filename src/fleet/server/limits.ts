/** Largest message of the server: what NATS recommends at most. A larger transcript line goes to the object store. */
export const logEventBytesMax: number = 8 * 1024 * 1024;
/** What is fetched for a nats-server: the package list is 11 MB, the package 6 MB. */
export const serverPackageBytesMax: number = 64 * 1024 * 1024;
export const serverFetchTimeoutMs: number = 2 * 60 * 1000;
/** A server that has just been started tells within this time that it is well; a cluster elects in some seconds. */
export const serverStartMs = 60_000;
