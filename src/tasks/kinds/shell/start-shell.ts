import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { concurrentTasksMax, startSettleMs, startTurnMs } from "./limits.ts";
import type { LaunchContext } from "../../supervise/launch-task.ts";
import { StartRevoked } from "../../supervise/start-process.ts";
import { findTask } from "../../list/find-task.ts";
import { countRunning, listBusy } from "../../record/running-tasks.ts";
import { refreshed, type Task } from "../../record/task.ts";
import { launchShell, type LaunchedTask } from "./launch-shell.ts";
import { withCommand, type CommandRequest, type ShellRequest } from "./shell-request.ts";

/** Starts a command among the tasks that there are; see launchTask for what holds when it returns or throws. */
export async function startShell(context: LaunchContext, given: ShellRequest): Promise<Task> {
  const launched = await launchAmongOthers(context, given);
  // One that need not wait runs, whatever the next look at it may find.
  const { record, files } = launched;
  if (record.shell.waitsFor) return refreshed(launched);
  return { record, state: { status: "running" }, outputFile: files.output, files };
}

async function launchAmongOthers(context: LaunchContext, given: ShellRequest): Promise<LaunchedTask> {
  const request = withAbsoluteFolder(withCommand(given));
  const after = (request.after ?? []).map((id) => findTask(context.home, id).files.base);
  try {
    return await launchShell(context, request, { running: busyTasks(context), after });
  } catch (error) {
    if (!(error instanceof StartRevoked)) throw error;
  }
  // Others found the same place free in this moment. Those go on one by one.
  const { inTurn } = await import("./in-turn.ts");
  return inTurn(context.home, async () => {
    const running = request.queue ? busyTasks(context) : await settledTasks(context);
    return launchShell(context, request, { running, after });
  });
}

// Of those that have no supervisor yet, some are about to make room for others.
async function settledTasks(context: LaunchContext): Promise<string[]> {
  const deadline = performance.now() + startSettleMs;
  for (;;) {
    const busy = busyTasks(context);
    const isSettled = busy.length < concurrentTasksMax || busy.every((base) => fs.existsSync(`${base}.run`));
    if (isSettled || performance.now() > deadline) return busy;
    await setTimeout(startTurnMs);
  }
}

// Whoever starts it or reads the record may be somewhere else. No folder at all is refused as such.
function withAbsoluteFolder(request: CommandRequest): CommandRequest {
  const { cwd } = request;
  return cwd === "" || path.isAbsolute(cwd) ? request : { ...request, cwd: path.resolve(cwd) };
}

// Who they are, and whether they have ended, is asked only when it matters.
function busyTasks({ home, underWay = new Set() }: LaunchContext): string[] {
  if (countRunning(home) + underWay.size < concurrentTasksMax) return [];
  return [...new Set([...listBusy(home), ...underWay])];
}
