/**
 * Owns the checks of `doctor` and the repairs: environment, tasks, transcripts and their companions.
 * A check changes nothing. A repair never touches a session whose owner lives.
 *
 * I1  A check that fails to run says so and hides no other check.
 * I2  A repair writes a new file, checks it, keeps the old one and swaps the names. Until then nothing has changed.
 * I3  Lines that are entries keep their bytes, except for a parent that forms a cycle.
 * I4  Examining is bounded in time. The number of unexamined files is reported, and the next run examines them.
 */
export type { CheckedHealth, HealthReport } from "./check-health.ts";
export type { CheckResult, Finding, Repair } from "./health-check.ts";
export type { DoneRepairs } from "./repair/do-repairs.ts";
export type { KeptArea, PrunedItem } from "./prune-home.ts";
