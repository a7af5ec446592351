import type { HealthCheck } from "../health-check.ts";

/** Says how many transcripts were looked at, and that some were not, if the time was up. */
export const examined: HealthCheck = {
  name: "transcripts",
  group: "sessions",
  async run(context) {
    const { examined: count, unexamined, unreadable } = await context.transcripts();
    const summary = `${count} ${count === 1 ? "transcript" : "transcripts"} examined`;
    if (unreadable.length > 0) {
      return {
        status: "warn",
        summary: `${summary}, ${unreadable.length} may not be read`,
        findings: unreadable.map((path) => ({ text: path, path })),
        suggestion: { program: "chmod", args: ["u+r", "<file>"] },
      };
    }
    if (unexamined === 0) return { status: "ok", summary };
    return {
      status: "warn",
      summary: `${summary}, ${unexamined} not: the time was up`,
      suggestion: { verb: "doctor", options: { full: true } },
    };
  },
};
