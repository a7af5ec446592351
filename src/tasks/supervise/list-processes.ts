import { lookAtProcesses } from "../../lib/process-table.ts";
import { isUnseen, readSupervisor } from "../record/read-state.ts";
import type { Task } from "../record/task.ts";
import { isEnded } from "../record/task-state.ts";
import { findMembers } from "./task-processes.ts";

export interface ListedProcess {
  pid: number;
  parent: number;
  name: string;
  command: string;
}

/** The processes of a running task, parents before children; undefined where this process cannot look. */
export function listProcesses(task: Task): ListedProcess[] | undefined {
  const { files, record, state } = task;
  if (isEnded(state)) return [];
  if (record.kind === "remote_agent" || isUnseen(task)) return undefined;
  const table = lookAtProcesses();
  const members = new Map(
    findMembers(files, readSupervisor(files, record)).map((member) => [member.pid, member]),
  );
  const depthOf = (pid: number): number => {
    const parent = members.get(pid)?.parent;
    return parent !== undefined && members.has(parent) && parent !== pid ? 1 + depthOf(parent) : 0;
  };
  return [...members.values()]
    .map(({ pid, parent }) => ({
      pid,
      parent,
      name: table.read(pid)?.name ?? "",
      command: table.command(pid),
      depth: depthOf(pid),
    }))
    .sort((a, b) => a.depth - b.depth || a.pid - b.pid)
    .map(({ depth: _, ...process }) => process);
}
