import fs from "node:fs";
import { livenessOf } from "../../lib/process-identity.ts";
import { readSupervisor } from "../../tasks/record/read-state.ts";
import { findMembers } from "../../tasks/supervise/task-processes.ts";
import { writeEnding } from "../../tasks/record/write-ending.ts";
import type { AgentTask } from "./run-agent-task.ts";

/**
 * Writes the ending of an agent whose supervisor died, from its host as the last thing it does. Not while anything else
 * of the task lives: it has not ended then, and whoever sees it gone says so (keeps I3).
 */
export function endOrphan({ record, files }: AgentTask, exitCode: number): void {
  const supervisor = readSupervisor(files, record);
  if (!supervisor || livenessOf(supervisor) !== "dead") return;
  if (findMembers(files, supervisor).length > 0) return;
  writeEnding(files, { exitCode, reason: fs.existsSync(files.stop) ? "stopped" : "exit" });
}
