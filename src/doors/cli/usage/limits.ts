/** Rows of a usage report in a window; a pipe gets all. */
export const usageRowsShownMax = 40;
