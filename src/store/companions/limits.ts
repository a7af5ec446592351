/** Largest companion that is read whole (a to-do list, a plan, settings); real ones are kilobytes. */
export const companionBytesMax: number = 16 * 1024 * 1024;
/** Largest file that diff compares and undo restores: both sides are held in memory, one file at a time. */
export const trackedFileBytesMax: number = 64 * 1024 * 1024;
/** Prompts that one read of the history returns unless more are asked for: what a person scrolls through. */
export const promptHistoryLimit = 1000;
/** History is read backwards in pieces of this size, so that the newest prompts of a long one cost little. */
export const promptHistoryPieceBytes: number = 256 * 1024;
/** A lock of the client that was not touched for so long has no living holder: it is refreshed far more often. */
export const clientLockStaleMs = 10_000;
/** Names tried for one large output before giving up: each means another output in the same millisecond. */
export const largeOutputNamesMax = 10;
/** Bytes of a large output that one read returns; the rest is read by offset. */
export const largeOutputReadBytesMax: number = 1024 * 1024;
/** Bytes of one output that are kept: more than anybody searches, and no disk is filled by one command. */
export const largeOutputBytesMax: number = 1024 * 1024 * 1024;
/** Longest part of a tool's name in a file name, so that the name with its date fits every file system. */
export const largeOutputToolLengthMax = 100;
