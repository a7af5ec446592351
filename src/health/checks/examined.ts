import type { HealthCheck } from "../health-check.ts";

/** Says how many transcripts were looked at, and that some were not, if the time was up. */
export const examined: HealthCheck = {
  name: "transcripts",
  group: "sessions",
  async run(context) {
    const { examined: count, unexamined } = await context.transcripts();
    const summary = `${count} ${count === 1 ? "transcript" : "transcripts"} examined`;
    if (unexamined === 0) return { status: "ok", summary };
    return {
      status: "warn",
      summary: `${summary}, ${unexamined} not: the time was up`,
      mend: "holdfast doctor --full",
    };
  },
};
