/** Output of one task before it is ended (or its head is cut): large enough for honest builds, small enough for disks. */
export const taskOutputBytesMax: number = 16 * 1024 * 1024 * 1024;
/** Output of all ended tasks together; beyond it the oldest are evicted. */
export const totalOutputBytesMax: number = 64 * 1024 * 1024 * 1024;
/** Ended tasks are kept this long. */
export const endedTaskAgeMsMax: number = 30 * 24 * 60 * 60 * 1000;
/** Between TERM and KILL, unless the caller says otherwise. */
export const stopGraceMs = 5000;
/** So often a task shows that it lives to those who cannot see its processes; also in the supervisor's script. */
export const heartbeatMs: number = 60 * 1000;
/** Without a sign of life for so long after it was asked for, a task that cannot be seen is lost: four beats may be missed. */
export const silenceMsMax: number = 5 * 60 * 1000;
/** Ended tasks that are taken into the index in one transaction: some milliseconds, for which other writers wait. */
export const endedTasksAtOnce = 500;
/** So often the index of ended tasks is compared with the names in all task folders; 50,000 tasks take a quarter of a second. */
export const taskWalkAgeMsMax: number = 24 * 60 * 60 * 1000;
/** No file system counts the time of a change in larger steps (FAT). */
export const coarsestClockMs = 2000;
/** How long AgentOutput, the older form of TaskOutput, waits by default and at most. */
export const agentOutputWaitSeconds = 150;
export const agentOutputWaitSecondsMax = 300;
/** A notice stays with a reader that lives this long without a sign that it arrived; then another one may have it. */
export const noticeOfferMs: number = 10 * 60 * 1000;
/** Readers that may have a notice while nothing tells whether it arrived; of the last one a written text counts. Some keep no transcript. */
export const noticeOffersMax = 5;
/** Of a transcript that is looked at for a told text: what follows the telling stands right behind it. */
export const evidenceBytesMax: number = 16 * 1024 * 1024;
/** Of a command or a prompt, in a list of tasks: what two lines show, and enough to search in. */
export const rowCommandLengthMax = 1000;
/** Rows that are handed from one thread to another at once: taking them over takes a millisecond or two. */
export const rowsAtOnce = 300;
/** So often it is looked whether something about ended tasks has changed: nobody sees it at once. */
export const endedCheckMs = 1000;
/** Of the time, for comparing folders that change again and again. */
export const endedCheckShare = 0.05;
/** A thread that failed has its successor after so long: what made it fail may last. */
export const liveRestartMs = 1000;
/** Room for young objects of the thread that watches tasks. While it reads 10,000 of them, it would take ten times as much. */
export const liveYoungMegabytes = 4;
