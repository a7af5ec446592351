/**
 * Follows one remote run until it has ended. Started by the task's supervisor as its command, or by whoever finds after a
 * restart that nobody follows the run.
 *
 *   node fleet-follower.js HOME CONFIG_DIR PROJECT_KEY TASK_ID
 */
import fs from "node:fs";
import { connectFleet } from "../fleet/transport/connection.ts";
import { codeOf } from "../lib/errors.ts";
import { acquireLease, type Lease } from "../lib/lease.ts";
import { livenessOf } from "../lib/process-identity.ts";
import { readEnding, readSupervisor } from "../tasks/record/read-state.ts";
import { readTask } from "../tasks/record/task.ts";
import { taskFiles } from "../tasks/record/task-files.ts";
import { taskMarker } from "../tasks/supervise/task-processes.ts";
import { writeEnding } from "../tasks/record/write-ending.ts";
import { findFleetAddress } from "../fleet/server/fleet-address.ts";
import { settingsFileOf } from "../runtime/places.ts";
import { followRun } from "../fleet/runs/follow-run.ts";

const [home = "", , projectKey = "", id = ""] = process.argv.slice(2);
const exitCodes = { completed: 0, failed: 1, stopped: 143 } as const;
const RETRY_MS = 5000;

const source = { home, settingsFile: settingsFileOf(home, process.env), variables: process.env };
const files = taskFiles(home, { projectKey, id });
const task = readTask(files);
if (!task?.record.remote) throw new Error(`Cannot follow task "${id}": it has no record of a remote run`);
const { record } = task;
const { remote } = task.record;

// Whoever ends this process ends the following, not the run: that is stopped through its record.
const ended = new AbortController();
process.on("SIGINT", () => ended.abort());
process.on("SIGTERM", () => ended.abort());

const lease = await takeLease();
try {
  // Another follower may have come to the end while this one was starting.
  const ending = readEnding(files) ? undefined : await follow();
  if (ending) {
    const exitCode = exitCodes[ending.status];
    const supervisor = readSupervisor(files, record);
    // Without a supervisor nobody else writes it.
    if (livenessOf(supervisor ?? record.launcher) === "dead")
      writeEnding(files, { exitCode, reason: ending.status === "stopped" ? "stopped" : "exit" });
    process.exitCode = exitCode;
  } else process.exitCode = exitCodes.stopped;
} finally {
  lease.release();
}
// What a connection left open must not keep it alive.
process.exit();

// One follows, the others are not needed; but the supervisor's own must not end before the run: that would be its ending.
async function takeLease(): Promise<Lease> {
  for (;;) {
    try {
      return acquireLease(files.followerLease, { subject: id });
    } catch (error) {
      if (codeOf(error) !== "conflict") throw error;
      if (process.env[taskMarker] !== id) process.exit(0);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function follow(): ReturnType<typeof followRun> {
  // Until somebody ends it, or removes the task.
  for (let attempt = 0; !ended.signal.aborted && fs.existsSync(files.record); attempt++) {
    try {
      // Where this machine's fleet is now, and where it was at the launch: either may be the one that knows the run.
      const now = findFleetAddress(source, "dispatcher");
      const address = now && attempt % 2 === 0 ? now : remote.address;
      const connection = await connectFleet(address, { name: `holdfast follower ${id}` });
      try {
        return await followRun(connection, { record, files }, { signal: ended.signal });
      } finally {
        await connection.close();
      }
    } catch (error) {
      // The run goes on whether we see it or not.
      process.stderr.write(`${new Date().toISOString()} ${(error as Error).message}\n`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  return undefined;
}
