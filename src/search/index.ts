/**
 * Owns search: the full-text index of every transcript, and the search in files that are not in it yet.
 * Never writes to a transcript, never keeps a text: the index holds words and their places.
 *
 * I1  A search finds the same with a whole index, half of one, or none: it reads what is not indexed.
 * I2  Secrets are removed before a text enters the index, is matched, or is shown.
 * I3  A part of a transcript, and how far it is covered, enter the index in one transaction: a kill loses nothing and
 * doubles nothing.
 * I4  One process writes to the index at a time, by a lease; any number read.
 * I5  The index may be deleted at any time.
 */
export { searchSessions, type SearchOptions, type SearchResult } from "./search-sessions.ts";
export type { SearchHit } from "./read-hit.ts";
export type { SearchedTask } from "./searched-task.ts";
export { documentRoles, type DocumentRole } from "./document-role.ts";
export { updateIndex } from "./update-index.ts";
export type { IndexUpdate, UpdateIndexOptions } from "./update-words.ts";
export { describeIndex, type IndexState } from "./describe-index.ts";
export type { SearchContext } from "./listed-transcripts.ts";
export type { SearchErrorCode } from "./errors.ts";
