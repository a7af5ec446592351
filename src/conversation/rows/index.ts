/**
 * Owns a conversation as numbered rows: which lines of a transcript are rows, what a row shows, and what is found among them.
 * Never holds a whole conversation: entries are parsed when a row of them is asked for.
 *
 * Invariants: a row keeps its number as long as the generation is the same; every entry of the conversation is in exactly one
 * row; a result is in the row of the call that it answers.
 */
export type { Row, RowWindow } from "./row.ts";
