/** What one read of an output gives at most: its head and its tail, as much as a model can use. */
export const outputReadBytesMax = 30_000;
/** Characters of the last line of a task's output that lists have: no window is wider. */
export const lastLineLengthMax = 500;
