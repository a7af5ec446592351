/** Characters of a tool's input or result in an exported page; the JSON export holds all of them. */
export const exportedResultLengthMax = 20_000;
