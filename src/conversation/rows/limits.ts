/** Characters of a text that a row shows; the rest has an address. */
export const rowTextLengthMax: number = 16 * 1024;
/** The same of what a tool answered: a window holds hundreds of these. */
export const rowResultLengthMax: number = 8 * 1024;
/** Characters of the one line of what a tool was asked to do. */
export const rowDetailLengthMax = 1000;
/** Lines of what a tool was given, and characters of each. */
export const rowToolLinesMax = 400;
export const rowToolLineLengthMax = 2000;
/** Characters of one text that a tool was given: more is cut before it is compared. */
export const rowInputLengthMax: number = 64 * 1024;
/** Rows that are looked at for the result of a tool that runs on the server, which stands in the same message. */
export const sameMessageRowsMax = 8;
/** Rows of one answer. */
export const windowRowsMax = 500;
/** Transcripts that are kept open, and lines of all of them: a line takes about 100 bytes. */
export const keptTranscriptsMax = 8;
export const keptLinesMax = 3_000_000;
/** Branches of one transcript whose rows are kept. */
export const keptBranchesMax = 6;
/** Lines that are no entries which are named; all of them are counted. */
export const rejectionsShownMax = 1000;
/** Milliseconds of looking through rows after which others get a turn. */
export const rowsTurnMs = 10;
/** Characters around what was found. */
export const foundContextLength = 80;
/** Milliseconds for one batch of rows with a regular expression: some expressions take longer than anybody lives. */
export const foundRegexMsMax = 2000;
/** How often a search says how far it is. */
export const foundProgressMs = 100;
