import { systemClock, type Clock } from "../lib/clock.ts";
import { checkList } from "./check-list.ts";
import type { CheckResult, HealthCheck, HealthContext, Repair } from "./health-check.ts";
import {
  examineTranscripts,
  type ExaminedTranscripts,
  type ExamineOptions,
} from "./transcripts/examine-transcripts.ts";

export interface HealthOptions extends ExamineOptions {
  /** The folder whose project is asked about. */
  cwd: string;
  settingsFile?: string | undefined;
  clock?: Clock | undefined;
  /** Checks of other parts, each asked after those of its group. */
  more?: readonly HealthCheck[] | undefined;
}

export interface CheckedHealth extends CheckResult {
  name: string;
  group: HealthCheck["group"];
}

/** Everything that was asked, with the answers. */
export interface HealthReport {
  /** The worst of all. */
  status: CheckResult["status"];
  checks: CheckedHealth[];
  /** What can be repaired of what was found, each place once. */
  repairs: Repair[];
}

/** Asks every check, in order. One that cannot be answered is a failure of its own and hides no other. Changes nothing. */
export async function checkHealth(options: HealthOptions): Promise<HealthReport> {
  const { home, settingsFile, configDir, cwd, clock = systemClock, onIndexTrouble, more = [] } = options;
  let examined: Promise<ExaminedTranscripts> | undefined;
  const context: HealthContext = {
    home,
    settingsFile,
    configDir,
    cwd,
    clock,
    onIndexTrouble,
    transcripts: () => (examined ??= examineTranscripts(options)),
  };
  const checks: CheckedHealth[] = [];
  for (const { name, group, run } of byGroup([...checkList, ...more])) {
    options.signal?.throwIfAborted();
    const result = await answer(() => run(context));
    if (result) checks.push({ name, group, ...result });
  }
  const has = (wanted: CheckResult["status"]): boolean => checks.some(({ status }) => status === wanted);
  return {
    status: has("fail") ? "fail" : has("warn") ? "warn" : "ok",
    checks,
    repairs: repairsIn(checks),
  };
}

function byGroup(checks: readonly HealthCheck[]): HealthCheck[] {
  return [...Map.groupBy(checks, ({ group }) => group).values()].flat();
}

function repairsIn(results: readonly CheckResult[]): Repair[] {
  const byPath = new Map<string, Repair>();
  for (const repair of results.flatMap(({ repairs = [] }) => repairs))
    if (!byPath.has(repair.path)) byPath.set(repair.path, repair);
  return [...byPath.values()];
}

async function answer(run: () => ReturnType<HealthCheck["run"]>): Promise<CheckResult | undefined> {
  try {
    return await run();
  } catch (error) {
    return { status: "fail", summary: `cannot be checked: ${(error as Error).message}` };
  }
}
