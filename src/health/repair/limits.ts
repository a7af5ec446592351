/** Places in a damaged line at which an entry is looked for: each costs a look at the rest of the line. */
export const salvageAttemptsMax = 1000;
/** Rounds of mending a transcript: lines, links, tool uses, and what those bring to light. */
export const repairPassesMax = 8;
