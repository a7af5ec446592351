/**
 * Owns what a person reads of a transcript: its items, and what is exported of them.
 * Never draws: a door gives items their lines, colours and widths.
 */
export type { ExportFacts, ExportFormat, ExportOptions } from "./export/export-session.ts";
