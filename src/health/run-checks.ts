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
  clock?: Clock | undefined;
}

export interface CheckedHealth extends CheckResult {
  name: string;
  group: HealthCheck["group"];
}

/** Asks every check, in order. One that cannot be answered is a failure of its own and hides no other. Changes nothing. */
export async function* runChecks(options: HealthOptions): AsyncGenerator<CheckedHealth> {
  const { home, configDir, cwd, clock = systemClock, onIndexTrouble } = options;
  let examined: Promise<ExaminedTranscripts> | undefined;
  const context: HealthContext = {
    home,
    configDir,
    cwd,
    clock,
    onIndexTrouble,
    transcripts: () => (examined ??= examineTranscripts(options)),
  };
  for (const { name, group, run } of checkList) {
    options.signal?.throwIfAborted();
    yield { name, group, ...(await answer(() => run(context))) };
  }
}

/** What can be repaired of what was found, each place once. */
export function repairsIn(results: readonly CheckResult[]): Repair[] {
  const byPath = new Map<string, Repair>();
  for (const repair of results.flatMap(({ repairs = [] }) => repairs))
    if (!byPath.has(repair.path)) byPath.set(repair.path, repair);
  return [...byPath.values()];
}

async function answer(run: () => CheckResult | Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await run();
  } catch (error) {
    return { status: "fail", summary: `cannot be checked: ${(error as Error).message}` };
  }
}
