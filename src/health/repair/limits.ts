/** Places in a damaged line at which an entry is looked for: each costs a look at the rest of the line. */
export const salvageAttemptsMax = 1000;
/** Rounds of repairing a transcript: lines, links, tool uses, and the defects that become visible by that. */
export const repairPassesMax = 8;
