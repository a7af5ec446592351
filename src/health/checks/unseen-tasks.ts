import { listTasks } from "../../tasks/list/list-tasks.ts";
import { silenceMsMax } from "../../tasks/limits.ts";
import type { HealthCheck } from "../health-check.ts";

/**
 * Tasks that run where this process cannot look: on another host that shares the home, or in another container. One that
 * beats lives; of the others nobody here can say so.
 */
export const unseenTasks: HealthCheck = {
  name: "unseen-tasks",
  group: "tasks",
  run({ home, clock }) {
    const unseen = listTasks(home).flatMap(({ record, state }) =>
      state.status === "running" && state.unseen ? [{ record, ...state.unseen }] : [],
    );
    if (unseen.length === 0) return { status: "ok", summary: "every running task can be seen from here" };
    const isBeating = (at: string | undefined): boolean =>
      at !== undefined && clock.now().getTime() - Date.parse(at) < silenceMsMax;
    const silent = unseen.filter(({ lastBeatAt }) => !isBeating(lastBeatAt));
    return {
      status: silent.length > 0 ? "warn" : "ok",
      summary: `${unseen.length} ${unseen.length === 1 ? "task runs" : "tasks run"} on another host or container${silent.length > 0 ? `, ${silent.length} of them silent` : ""}`,
      findings: unseen.map(({ record, host, lastBeatAt }) => ({
        text: `${record.id} ${record.description}: on ${host}, last sign of life ${lastBeatAt ?? "none"}`,
        taskId: record.id,
      })),
      ...(silent.length > 0 && {
        suggestion: {
          verb: "stop",
          args: silent.length === 1 ? [silent[0]!.record.id] : ["<task>"],
          options: { force: true },
        },
      }),
    };
  },
};
