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

/**
 * The processes of a task that live, parents before children; undefined where this process cannot look. One that has ended has none,
 * unless it is lost: nobody saw them end.
 */
export function listProcesses(task: Task): ListedProcess[] | undefined {
  const { files, record, state } = task;
  if (isEnded(state) && state.status !== "lost") return [];
  if (record.kind === "remote_agent" || isUnseen(task)) return undefined;
  const table = lookAtProcesses();
  const members = new Map(
    findMembers(files, readSupervisor(files, record)).map((member) => [member.pid, member]),
  );
  const depthOf = (pid: number): number => {
    const parent = members.get(pid)?.parent;
    return parent !== undefined && members.has(parent) && parent !== pid ? 1 + depthOf(parent) : 0;
  };
  const depths = new Map([...members.keys()].map((pid) => [pid, depthOf(pid)]));
  return [...members.values()]
    .sort((a, b) => depths.get(a.pid)! - depths.get(b.pid)! || a.pid - b.pid)
    .map(({ pid, parent }) => ({
      pid,
      parent,
      name: table.read(pid)?.name ?? "",
      command: table.command(pid),
    }));
}
