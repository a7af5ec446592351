import { listLostTasks } from "../../tasks/list/list-tasks.ts";
import type { HealthCheck } from "../health-check.ts";

/** Tasks whose process is gone without an ending: killed from outside, or by a reboot. */
export const lostTasks: HealthCheck = {
  name: "lost-tasks",
  group: "tasks",
  run({ home }) {
    const lost = listLostTasks(home).flatMap(({ record, state }) =>
      state.status === "lost" ? [{ id: record.id, what: record.description, cause: state.cause }] : [],
    );
    if (lost.length === 0) return { status: "ok", summary: "every ended task has its ending" };
    return {
      status: "warn",
      summary: `${lost.length} ${lost.length === 1 ? "task was" : "tasks were"} lost`,
      findings: lost.map(({ id, what, cause }) => ({ text: `${id} ${what}: ${cause}`, taskId: id })),
      suggestion: { verb: "rm", args: [lost.length === 1 ? lost[0]!.id : "<task>"] },
    };
  },
};
