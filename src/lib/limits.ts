/** Text collected for one search for secrets: far fewer calls than one an entry, little enough to hold. */
export const redactionBatchLength: number = 512 * 1024;
/** After KILL a process is gone in moments; one that is not (a stuck mount) is reported, not waited for. */
export const stopKillWaitMs = 10_000;
/** States of a compiled filter: each costs a step a character, and this many filter 30 KB in well under a second. */
export const filterProgramSizeMax = 500;
/** Two versions that take longer to compare share next to nothing; the answer is then "too different". */
export const diffTimeoutMs = 2000;
/** Levels of objects and lists in each other that are shown, searched and exported: tools use a dozen, the stack ends at thousands. */
export const jsonDepthMax = 500;
/** A lease whose holder cannot be seen (another host or container) holds so long after it was last renewed. */
export const leaseTtlMs: number = 10 * 60 * 1000;
/** Ten of them fit into the time to live: one that comes late, or a slow disk, loses no lease. */
export const leaseRenewalMs: number = 60 * 1000;
/** The same for a lease of a version that renewed none: as long as anybody would wait. */
export const leaseTtlMsUnsaid: number = 24 * 60 * 60 * 1000;
