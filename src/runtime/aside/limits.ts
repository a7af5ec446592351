import type { ResourceLimits } from "node:worker_threads";

/** Nobody asked for so long: the thread gives its memory back. */
export const asideIdleMs: number = 60 * 1000;
/** Pieces that are made before the first is taken. */
export const asidePiecesAhead = 8;
/** A transcript of a gigabyte takes a tenth of it. What needs more fails, and the process goes on. */
export const asideThreadLimits: ResourceLimits = {
  maxOldGenerationSizeMb: 1024,
  maxYoungGenerationSizeMb: 12,
};
/** Sessions of one answer. */
export const listedSessionsMax = 5000;
/** Texts of all differences of one answer, in characters. */
export const reviewLengthMax = 2_000_000;
/** Characters of a prompt by which a turn is known again. */
export const promptLengthMax = 120;
/** A list with counts is given when it takes no longer than this; a home that cannot be written would count anew each time. */
export const countedListMsMax = 300;
