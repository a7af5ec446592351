/** Content of one frame of a packed file: what a reader unpacks, and holds, to see a byte of it. */
export const packedFrameBytesMax: number = 4 * 1024 * 1024;
/** Small files share a frame of this much content: to unpack it takes under a millisecond, and it packs as well as a large one. */
export const packedGroupBytes: number = 256 * 1024;
/** Content of a pack: about a second of work, which a kill costs at most. A larger session has a pack of its own. */
export const packBytesMax: number = 64 * 1024 * 1024;
/** Files of a pack: so many sessions are named in one frame, whatever their names are. */
export const packItemsMax = 2000;
/** Files of one archived session; real ones have some hundreds (file history, sub-agents, spilled outputs). */
export const archiveItemsMax = 100_000;
/** Sessions are kept this long before the client would delete them: somebody runs the guard once a week. */
export const keepMarginMsMax: number = 7 * 24 * 60 * 60 * 1000;
