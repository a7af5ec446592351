import type { AddressSource } from "../fleet/server/fleet-address.ts";
import type { HealthReport } from "../health/check-health.ts";
import type { HealthCheck, HealthContext, Repair } from "../health/health-check.ts";
import type { DoneRepairs } from "../health/repair/do-repairs.ts";
import type { ExamineOptions } from "../health/transcripts/examine-transcripts.ts";

/** What `doctor` asks and repairs. */
export interface Health {
  /** Runs every check of the home, the sessions, the tasks and the fleet, if one is known. Changes nothing. */
  check(options?: CheckHealthOptions): Promise<HealthReport>;
  /** Applies the repairs of a report. Replaced files are kept. An open session is left alone. */
  repair(repairs: readonly Repair[]): Promise<DoneRepairs>;
}

export interface CheckHealthOptions extends Pick<ExamineOptions, "isFull" | "onProgress" | "signal"> {
  /** The folder whose project is asked about; by default that of the process. */
  cwd?: string | undefined;
}

export type HealthPlace = AddressSource & Omit<HealthContext, "cwd" | "transcripts">;

export function openHealth(place: HealthPlace): Health {
  return {
    async check({ cwd = process.cwd(), ...options } = {}) {
      const { checkHealth } = await import("../health/check-health.ts");
      return checkHealth({ ...place, ...options, cwd, more: checksOfOthers(place) });
    },
    repair: async (repairs) => (await import("../health/repair/do-repairs.ts")).doRepairs(repairs, place),
  };
}

/** Of the parts that health itself knows nothing of. */
function checksOfOthers(source: AddressSource): HealthCheck[] {
  return [
    {
      name: "agent-types",
      group: "environment",
      run: async (where) => (await import("../agents/types/find-agent-type.ts")).checkTypeFiles(where),
    },
    {
      name: "fleet",
      group: "environment",
      run: async () => (await import("../fleet/server/fleet-health.ts")).fleetHealth(source),
    },
  ];
}
