import { pruneHome } from "../prune-home.ts";
import { mayBePruned, planPrune } from "../../tasks/prune/plan-prune.ts";
import type { HealthCheck } from "../health-check.ts";

/** Whether what Holdfast keeps has outgrown its age or size: ended tasks, trash, backups. */
export const quotas: HealthCheck = {
  name: "quotas",
  group: "tasks",
  run({ home, clock }) {
    const mayBeAny = mayBePruned(home, { clock });
    const tasks = mayBeAny ? planPrune(home, { clock }) : [];
    const untold = mayBeAny ? planPrune(home, { clock, withUntold: true }).length - tasks.length : 0;
    const kept = pruneHome(home, { clock, dryRun: true });
    const bytes = [...tasks, ...kept].reduce((sum, item) => sum + item.bytes, 0);
    if (tasks.length + kept.length === 0) {
      if (untold <= 0) return { status: "ok", summary: "nothing is too old or too large" };
      return {
        status: "warn",
        summary: `${untold} ended tasks are too old or too large, and nobody was told of them`,
        suggestion: { verb: "prune", args: ["--untold"] },
      };
    }
    return {
      status: "warn",
      summary: `${tasks.length} ended tasks and ${kept.length} kept items are too old or too large (${(bytes / 1e6).toFixed(1)} MB)`,
      suggestion: { verb: "prune" },
    };
  },
};
