/**
 * Hosts one agent. Started by the task's supervisor as its command; what it prints goes to the task's stderr.
 *
 *   node agent-host.js HOME CONFIG_DIR PROJECT_KEY TASK_ID [PERMISSION]
 *
 * Who decides about tools is in the record, unless it was said anew for one that began in another process.
 */
import fs from "node:fs";
import { systemClock } from "../lib/clock.ts";
import { livenessOf } from "../lib/process-identity.ts";
import { openRuntime } from "../runtime/open-runtime.ts";
import { agentTasks } from "../agents/host/agent-tasks.ts";
import { hostLocalAgent, type AgentTask } from "../agents/host/host-local-agent.ts";
import { payOwed } from "../agents/main-session/owe-answer.ts";
import type { PermissionPolicy } from "../tasks/kinds/agent/agent-settings.ts";
import { isOver } from "../tasks/record/is-over.ts";
import { readSupervisor } from "../tasks/record/read-state.ts";
import { readTask } from "../tasks/record/task.ts";
import { taskFiles } from "../tasks/record/task-files.ts";
import { writeEnding } from "../tasks/record/write-ending.ts";
import { hasMembers } from "../tasks/supervise/task-processes.ts";
import { loadRunner } from "../agents/load-runner.ts";
import { withAgentType } from "../agents/with-agent-type.ts";

const [home = "", configDir = "", projectKey = "", id = "", permission] = process.argv.slice(2);
const ended = new AbortController();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => ended.abort());

const TERMINATED = 143;
const exitCodes = { completed: 0, failed: 1, interrupted: TERMINATED };

const files = taskFiles(home, { projectKey, id });
const task = readTask(files);
const spec = task?.record.agent?.runner;
if (!task || !spec) throw new Error(`Cannot host task "${id}": it has no record of an agent and its runner`);
const { record } = task as { record: AgentTask["record"] };
if (permission !== undefined) record.agent.permission = permission as PermissionPolicy;
const agent: AgentTask = { record, files };
const { type, mainType = type } = record.agent;
const runtime = openRuntime({ home, configDir });
const run = {
  runner: withAgentType(loadRunner(spec), { type: mainType, configDir }),
  tasks: agentTasks(runtime, agent),
  env: process.env,
};
const place = { ...runtime, clock: systemClock };
const { outcome } = await hostLocalAgent(place, agent, run, ended.signal);
await payOwed({ ...place, isTaskOver: async (other) => isOver(home, other) }, agent);
if (outcome.status === "failed") process.stderr.write(`${outcome.error}\n`);
const exitCode = exitCodes[outcome.status];
if (isOrphan()) writeEnding(files, { exitCode, reason: fs.existsSync(files.stop) ? "stopped" : "exit" });
// Whatever a runner left open must not keep it alive.
process.exit(exitCode);

// Without a supervisor nobody else writes the ending. Not while anything else of the task lives: it has not ended then, and
// whoever sees it gone says so (keeps I3).
function isOrphan(): boolean {
  const supervisor = readSupervisor(files, agent.record);
  if (!supervisor || livenessOf(supervisor) !== "dead") return false;
  return !hasMembers(files, supervisor);
}
