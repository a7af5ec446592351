/** What a thread of a search takes at a time: so little that all threads end within milliseconds, and others get a turn. */
export const scanBatchBytes: number = 2 * 1024 * 1024;
/** Characters of one block (an answer, a tool's output) that search sees: half from its beginning, half from its end. */
export const searchedBlockLengthMax: number = 64 * 1024;
/** Bytes of transcripts that are prepared for the index at a time, and become one transaction. */
export const indexPieceBytes: number = 2048 * 1024;
/**
 * Memory of the thread that builds the index, in megabytes. V8 lets garbage grow with what a thread may have: with these its
 * heap stays below 50 MB. The longest line there may be, 250 MB of two bytes a character, still fits.
 */
export const indexThreadLimits = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 1024 } as const;
/** What a search takes into the index on its way out, so that the next one finds it there: a fraction of a second. */
export const indexedBySearchBytesMax: number = 4 * 1024 * 1024;
/** Ended tasks whose words become one transaction of the index: a fraction of a second. */
export const tasksWordedAtOnce = 500;
/** Characters of a query: more than anybody types, less than its parentheses can overwhelm the one who reads it. */
export const queryLengthMax = 2000;
/** What a regular expression may take for one piece of a transcript (`scanBatchBytes`); plain ones take milliseconds. */
export const regexMsMax = 10_000;
/** How far before its result the call of a tool is looked for: they mostly stand next to each other. */
export const toolLookBackBytesMax: number = 16 * 1024 * 1024;
/** How long a process waits for another that writes to the index; a transaction takes a fraction of a second. */
export const indexBusyMs = 10_000;
/** Hits that a search gives when no limit is asked for: what a person looks through. */
export const searchHitsMax = 20;
/** Best matches by words alone that are ranked again by age; what is not among them is not shown, unless more are asked for. */
export const rankedMatchesMax = 500;
/** Characters around a match that a hit shows. */
export const snippetLengthMax = 240;
