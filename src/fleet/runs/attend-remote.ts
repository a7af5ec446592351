import { spawn } from "node:child_process";
import { findLeaseHolder } from "../../lib/lease.ts";
import { livenessOf } from "../../lib/process-identity.ts";
import { ownProgram } from "../../tasks/supervise/own-program.ts";
import { readEnding, readSupervisor } from "../../tasks/record/read-state.ts";
import { listRunning } from "../../tasks/record/running-tasks.ts";
import { readTask } from "../../tasks/record/task.ts";
import type { AgentLaunchContext } from "../../agents/launch/launch-agent.ts";

/**
 * Starts a follower for every remote run of this home that nobody follows any more, as after a restart of the machine: the
 * run has gone on meanwhile. Of several who look at once, one follower gets the lease, the others end.
 */
export function attendRemote(
  context: Pick<AgentLaunchContext, "home" | "configDir" | "env" | "programs">,
): void {
  for (const files of listRunning(context.home)) {
    if (!files.id.startsWith("r")) continue;
    const task = readTask(files);
    if (task?.record.kind !== "remote_agent" || readEnding(files)) continue;
    const supervisor = readSupervisor(files, task.record);
    if (livenessOf(supervisor ?? task.record.launcher) !== "dead") continue;
    if (findLeaseHolder(files.followerLease)) continue;
    const [program, ...args] = ownProgram(context.programs.fleetFollower, files, context);
    const follower = spawn(program, args, {
      cwd: "/",
      env: context.env,
      detached: true,
      stdio: "ignore",
    });
    // Without it the next one who looks tries again.
    follower.on("error", () => {});
    follower.unref();
  }
}
