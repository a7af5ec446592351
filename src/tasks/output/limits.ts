/** What one read of an output gives at most: its head and its tail, as much as a model can use. */
export const outputReadBytesMax = 30_000;
/** Characters of the last line of a task's output that lists have: no window is wider. */
export const lastLineLengthMax = 500;
/** The lines of an output of this size are counted in a tenth of a second; of a larger one nobody is told how many it has. */
export const outputCountBytesMax: number = 64 * 1024 * 1024;
/** What one window of an output has unless somebody asks for more: some hundred lines. */
export const windowBytes: number = 64 * 1024;
/** And at most: what a page can lay out without a stutter. */
export const windowBytesMax: number = 256 * 1024;
/** Bytes that a search looks through at once. */
export const searchedAtOnceBytes: number = 1024 * 1024;
/** A line that is longer is searched in pieces; a match that goes over the edge of two is not found. */
export const searchedLineBytesMax: number = 8 * 1024 * 1024;
/** So often a search says how far it is. */
export const searchTellMs = 100;
/** Parts of an output in which matches are counted, for marks on a scrollbar. */
export const searchMarks = 512;
/** Offsets of matches that are named unless somebody asks otherwise, and at most. */
export const searchOffsets = 1000;
export const searchOffsetsMax = 10_000;
