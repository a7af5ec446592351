/**
 * Owns the questions of `doctor` and the repairs: environment, tasks, transcripts and what lies beside them.
 * Never changes anything while it looks, and never touches a session whose owner lives.
 *
 * I1  A check that cannot be answered says so and hides no other.
 * I2  A repair writes a new file, checks it, keeps the old one and swaps the names; until then all is as it was.
 * I3  Lines that are entries keep their bytes, but for a parent that leads in a circle.
 * I4  Examining is bounded in time; what was not looked at is said, and looked at by the next run.
 */
export type { CheckedHealth, HealthReport } from "./check-health.ts";
export type { CheckResult, Finding, Repair } from "./health-check.ts";
export type { DoneRepairs } from "./repair/do-repairs.ts";
export type { KeptArea, PrunedItem } from "./prune-home.ts";
