/** How long a command of the Bash tool may take by default and at most. */
export const commandTimeoutMs = 120_000;
export const commandTimeoutMsMax = 600_000;
/** Between TERM and KILL for a command that is interrupted: the person waits. */
export const commandGraceMs = 2000;
/** Of each stream of a command: its head and its tail. */
export const commandOutputBytesMax = 30_000;
/** An unfinished line of a kept output waits for its end up to this length, so that lines of two streams do not mix. */
export const heldLineBytesMax: number = 64 * 1024;
/** What a command's own children may still print after it ended; then nobody waits for them. */
export const commandDrainMs = 200;
/** Lines that one Read gives unless fewer are asked for, and characters of one line. */
export const readLinesMax = 2000;
export const readLineLengthMax = 2000;
/** Characters that one Read gives at most, about 25,000 tokens. */
export const readTextLengthMax = 100_000;
/** Largest file that Read and Edit take; it is held in memory, some times over. */
export const editedFileBytesMax: number = 32 * 1024 * 1024;
/** The API takes images of 5 MB in base64. */
export const imageBytesMax = 3_750_000;
/** Characters of a file that the result of an edit repeats; a longer one is left out. */
export const originalFileLengthMax = 100_000;
/** Characters of a file before and after a change that are compared for the result; beyond, it has no hunks. */
export const patchedTextLengthMax = 1_000_000;
/** Files that Glob and Grep name, and lines that Grep shows, unless another number is asked for. */
export const foundFilesMax = 100;
export const foundLinesMax = 500;
/** Files and folders that one search looks at. */
export const walkedEntriesMax = 200_000;
/** Larger files are data, not sources; Grep's own search passes them over and says so. */
export const searchedFileBytesMax: number = 8 * 1024 * 1024;
/** What Grep's own search reads in all: seconds of reading, and more than any sources have. */
export const searchedTotalBytesMax: number = 512 * 1024 * 1024;
