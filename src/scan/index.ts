/**
 * Owns the one inner loop that is compiled: finding letters in bytes (docs/adr/0009). It never reads
 * files and knows nothing of transcripts.
 *
 * I1  The compiled loop and its plain twin find the same; a test compares them. Only their speed differs.
 * I2  Nothing here needs WebAssembly: without it, or before a build, the twin is used.
 */
export { CASE_BIT, pairDistanceMax, PairFinder, type BytePair } from "./pair-finder.ts";
