/** What one read of an output gives at most: its head and its tail, as much as a model can use. */
export const outputReadBytesMax = 30_000;
/** Characters of the last line of a task's output that lists have: no window is wider. */
export const lastLineLengthMax = 500;
/** The lines of an output of this size are counted in a tenth of a second; of a larger one nobody is told how many it has. */
export const outputCountBytesMax: number = 64 * 1024 * 1024;
