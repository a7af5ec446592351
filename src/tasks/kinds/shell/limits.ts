/** Characters of a task's name: it is typed, and stands in a column of a table. */
export const taskNameLengthMax = 64;
/** One argument of a process holds 128 KiB on Linux; the command is one, so it must stay below. */
export const taskCommandBytesMax: number = 120 * 1024;
/** Tasks of one home that run at once; agents have been seen to start hundreds by mistake. */
export const concurrentTasksMax = 200;
/** So long a start waits for others to decide that compete for the last places: each takes milliseconds, on a busy machine more. */
export const placeWaitMs = 10_000;
/** At most so long it waits between two looks. */
export const placeWaitStepMs = 20;
/** Output kept for one who is attached to a terminal and does not read it; then he is cut off. */
export const terminalClientBytesMax: number = 4 * 1024 * 1024;
/** Columns or rows of a terminal: more than any screen has, less than a program would choke on. */
export const terminalSizeMax = 10_000;
/** A command that has not read its input for this long is not about to. */
export const sendWaitMs = 5000;
/** How long the host of a task's terminal may take to start; on a loaded machine Node needs seconds. */
export const terminalHostStartMs = 10_000;
/** The ending's place on the disk, made at launch. */
export const endingBytesReserved = 512;
/** A small launcher pays off above this memory: starting a process blocks in proportion to it. */
export const smallLauncherRssBytes: number = 128 * 1024 * 1024;
/** It answers within milliseconds; one that has not by then was stopped. */
export const launcherAnswerMs = 1000;
