/**
 * The archive of the Holdfast home: sessions packed with zstd, with everything that belongs to them.
 *
 * Owns packing, checking, reading without unpacking, restoring, and the guard against the client's sweep.
 * Never deletes an archived session unless it was put back whole, and never follows a link.
 *
 * I1  A folder with its name is whole: it is packed and read back under a temporary name first.
 * I2  An original is removed only while it is, byte for byte, what is in the archive; the transcript before the rest.
 * I3  Nothing is replaced by a restore; the transcript comes last.
 * I4  Whatever moment a process dies at, each file is where it was, in the archive, or both; the next run goes on.
 */
export { openArchive, type Archive } from "./open-archive.ts";
export type { ArchiveOptions } from "./archive-session.ts";
export { listArchived, type ArchiveContext, type ArchivedSession } from "./archived-sessions.ts";
export { listArchivedTranscripts } from "./archived-transcripts.ts";
export { listDueSessions, type DueSession, type DueSessions } from "./due-sessions.ts";
export { isKeepOn, setKeep } from "./keep-setting.ts";
export { keepSessions, type KeptSessions } from "./keep-sessions.ts";
export { findAnySession } from "./find-archived.ts";
export { isPacked, openPacked, packedContentBytes, readPacked } from "./read-packed.ts";
