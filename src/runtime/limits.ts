/** The end of what a task printed that search sees: where it says how it went. */
export const taskTailSearchedBytes: number = 32 * 1024;
/** What `run` may spend on removing ended tasks, once it has said what it started: a person does not notice that. */
export const pruneDueMs = 50;
/** Tasks of one section that a first look shows: more than anybody scrolls through. The list has all of them. */
export const sectionRowsMax = 200;
/** Git writes the files of a whole repository. */
export const worktreeMsMax: number = 120_000;
/** Folders that a start box offers. */
export const foldersOfferedMax = 12;
/** Folders that a field offers while one is typed. */
export const foldersTypedMax = 50;
