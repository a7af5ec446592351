import type { HealthReport } from "../../health/check-health.ts";
import type { CheckResult, Finding, HealthCheck } from "../../health/health-check.ts";
import type { Suggestion } from "../../lib/suggestion.ts";

/** What one check found, as it leaves the process. */
export interface CheckView {
  name: string;
  group: HealthCheck["group"];
  status: CheckResult["status"];
  summary: string;
  suggestion: Suggestion | null;
  findings: readonly Finding[];
}

/** What all checks found. */
export interface HealthView {
  status: CheckResult["status"];
  checks: CheckView[];
  repairs: { path: string; text: string }[];
}

export function healthView({ status, checks, repairs }: HealthReport): HealthView {
  return {
    status,
    checks: checks.map(({ name, group, status: each, summary, suggestion = null, findings = [] }) => ({
      name,
      group,
      status: each,
      summary,
      suggestion,
      findings,
    })),
    repairs: repairs.map(({ path, text }) => ({ path, text })),
  };
}
