/** How long a client may take from its start until it has told a hook of its session. */
export const hookStartMsMax: number = 60 * 1000;
/** Watches that one user should have: an editor alone uses some thousands. */
export const inotifyWatchesMin = 8192;
/** Instances of them: each process that watches has one. */
export const inotifyInstancesMin = 64;
/** Below this a session of average size no longer fits, and below the second not even an ending. */
export const diskFreeBytesWarn: number = 1024 * 1024 * 1024;
export const diskFreeBytesFail: number = 64 * 1024 * 1024;
/** Clocks of a machine and of its network disks differ by so much without anybody noticing. */
export const clockSkewMsMax: number = 5 * 60 * 1000;
/** A hook that failed longer ago was fixed, or nobody misses it. */
export const hookFailureAgeMsMax: number = 3 * 24 * 60 * 60 * 1000;
/** A hook that takes longer is given up by the client, too. */
export const hookTrialMsMax: number = 10 * 1000;
/** A session that was just begun has nothing in it yet. */
export const emptySessionAgeMsMin: number = 60 * 60 * 1000;
/** White space alone is no more than this. */
export const emptySessionBytesMax = 4096;
