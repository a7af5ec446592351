/**
 * The archive of the Holdfast home: sessions packed with zstd, with everything that belongs to them.
 *
 * Owns packing, checking, reading without unpacking, restoring, and the guard against the client's sweep.
 * Never deletes an archived session unless it was put back whole, and never follows a link.
 *
 * I1  A pack with its name is whole: it is written and read back under a temporary name first. It never changes.
 * I2  An original is removed only while it is, byte for byte, what is in the archive; the transcript before the rest.
 * I3  Nothing is replaced by a restore; the transcript comes last.
 * I4  Whatever moment a process dies at, each file is where it was, in the archive, or both; the next run goes on.
 * I5  A session is taken out of a pack by a line beside it; the pack goes when nothing of it is left.
 */
export type { ArchiveRequest, ArchiveResult } from "./archive-chosen.ts";
export { openArchive, type Archive } from "./open-archive.ts";
export type { ArchiveOptions } from "./archive-sessions.ts";
export type { ArchivedSession } from "./archived-sessions.ts";
export type { KeepOptions, KeepResult } from "./keep-sessions.ts";
export { listDueSessions } from "./due-sessions.ts";
export { isKeepOn } from "./keep-setting.ts";
