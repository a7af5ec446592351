import { lookAtProcesses } from "../../../lib/process-table.ts";

/** The living processes of a task: each carries its id, whatever it became (docs/format.md). */
export function taskProcesses(id: string): number[] {
  return processesWith("HOLDFAST_TASK_ID", id);
}

/** Ends everything that was started on the stage, also the server of `fleet up`, without asking or waiting. */
export function killStage(home: string): void {
  for (const pid of processesWith("HOLDFAST_HOME", home)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      /* it ended by itself */
    }
  }
}

function processesWith(name: string, value: string): number[] {
  const marker = `\0${name}=${value}\0`;
  const table = lookAtProcesses();
  return table
    .pids()
    .filter((pid) => table.environment(pid).includes(marker) && table.read(pid) !== undefined);
}
