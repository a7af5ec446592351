/**
 * Where things stand in the memory of a scan, which JavaScript and WebAssembly share: addresses of bytes. Behind these come
 * the forms of lines, and the bytes of lines (form-memory.ts).
 */

/** Where the match of a form ended. */
export const END_ADDRESS = 4;
/** How many rows there are, and which is the first of the file that is being read. */
export const COUNT_ADDRESS = 8;
export const FIRST_ROW_ADDRESS = 12;

/** What is noted of a line while it is compared. */
export const Note = {
  start: 16,
  /** Two numbers of four bytes each: where a text begins and ends; 0 where there is none. */
  messageId: 16,
  requestId: 24,
  timestamp: 32,
  /** Eight bytes each. */
  counts: 40,
  /** For what nobody wants. */
  unwanted: 88,
  end: 96,
} as const;

/** More messages than most files have; the next ones begin anew. */
export const ROWS_MAX = 4096;
export const ROW_BYTES = 80;
/** Places of a hash table, of which half are free at least. */
export const PLACES = 8192;
export const ROWS_ADDRESS = 128;
export const PLACES_ADDRESS: number = ROWS_ADDRESS + ROWS_MAX * ROW_BYTES;
export const TABLE_END: number = PLACES_ADDRESS + PLACES * 4;
