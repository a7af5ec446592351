/** Things read ahead while a tool call waits for its result; beyond, it is shown without one. */
export const resultLookaheadMax = 500;
/** Characters of a text whose Markdown is read: the parser takes longer than it is worth for more. */
export const markdownLengthMax = 200_000;
/** Marks in one paragraph of it; more than anybody writes. */
export const markdownMarksMax = 2000;
