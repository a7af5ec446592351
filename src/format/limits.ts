/** The client cuts a project key here and adds a hash; readers compare only this much. */
export const projectKeyLengthMax = 200;
/** NAME_MAX of every common file system; a longer component cannot exist on disk. */
export const nameBytesMax = 255;
/** Longest id accepted from outside: ours are under 20, `<name>@<team>` ids are made of two names. */
export const idLengthMax = 128;
/** Random characters in a new task id: 36^8 is 2.8e12, so a collision check practically never repeats. */
export const taskIdRandomLength = 8;
/** Hex digits in a new agent id, as the client has them since 2.1.50. */
export const agentIdRandomLength = 16;
/** Draws before a new task id is given up: reaching it means the id source or `isTaken` is broken. */
export const taskIdAttemptsMax = 100;
/** Hard cap of one JSONL line. Real lines reach 2.1 MB; V8 strings end at 512 MiB, so half of that parses. */
export const lineBytesMax: number = 256 * 1024 * 1024;
/** Characters of a prompt that lists and manifests show. */
export const promptPreviewLengthMax = 200;
/** Characters of a task's description inside a summary; a whole script is sometimes given as one. */
export const taskDescriptionLengthMax = 500;
/** Characters of a notification's summary: a description, its frame, and a reason of failure. */
export const notificationSummaryLengthMax = 2000;
/** Characters of a task's result inside a notification; the rest is in the output file. */
export const notificationResultLengthMax = 100_000;
/** How long TaskOutput waits by default and at most. */
export const taskOutputTimeoutMs = 30_000;
export const taskOutputTimeoutMsMax = 600_000;
/** A watch can miss an ending; this often one looks, and whether the supervisor still lives. */
export const taskCheckMs = 1000;
