import { plural } from "../../lib/quantities.ts";
import { tasksWithId } from "../../tasks/list/find-task.ts";
import { listMarkedProcesses } from "../../tasks/supervise/task-processes.ts";
import { isEnded } from "../../tasks/record/task-state.ts";
import type { HealthCheck } from "../health-check.ts";

/**
 * Processes of tasks that have ended, and tasks that run without a supervisor, so that nobody will write their ending.
 * Processes with a marker that no task of this home has belong to another home.
 */
export const orphanedProcesses: HealthCheck = {
  name: "orphaned-processes",
  group: "tasks",
  run({ home }) {
    const processes = listMarkedProcesses();
    const ids = [...new Set(processes.map(({ taskId }) => taskId))];
    const tasks = new Map(ids.flatMap((id) => tasksWithId(home, id)).map((task) => [task.record.id, task]));
    const marked = processes.filter(({ taskId }) => tasks.has(taskId));
    const left = marked.filter(({ taskId }) => isEnded(tasks.get(taskId)!.state));
    const alone = [...tasks.values()].filter(
      ({ state }) => state.status === "running" && state.pid === undefined,
    );
    if (left.length + alone.length === 0) return { status: "ok", summary: "no orphaned processes" };
    const findings = [
      ...left.map(({ pid, taskId }) => ({ text: `pid ${pid} of task ${taskId}, which has ended`, taskId })),
      ...alone.map(({ record }) => ({
        text: `task ${record.id} runs without its supervisor`,
        taskId: record.id,
      })),
    ];
    return {
      status: left.length > 0 ? "fail" : "warn",
      summary: plural(findings.length, "orphan"),
      findings,
      suggestion:
        left.length > 0
          ? { program: "kill", args: left.map(({ pid }) => String(pid)) }
          : { verb: "stop", args: alone.map(({ record }) => record.id) },
    };
  },
};
