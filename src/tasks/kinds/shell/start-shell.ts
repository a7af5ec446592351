import fs from "node:fs";
import path from "node:path";
import { concurrentTasksMax } from "./limits.ts";
import type { LaunchContext } from "../../supervise/launch-task.ts";
import { findTask } from "../../list/find-task.ts";
import { countRunning, listRunning } from "../../record/running-tasks.ts";
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
  const { after = [] } = request;
  return launchShell(context, request, {
    running: busyTasks(context),
    after: after.map((id) => findTask(context.home, id).files.base),
  });
}

// Whoever starts it or reads the record may be somewhere else. No folder at all is refused as such.
function withAbsoluteFolder(request: CommandRequest): CommandRequest {
  const { cwd } = request;
  return cwd === "" || path.isAbsolute(cwd) ? request : { ...request, cwd: path.resolve(cwd) };
}

// Who they are, and whether they have ended, is asked only when it matters.
function busyTasks({ home, underWay = new Set() }: LaunchContext): string[] {
  if (countRunning(home) + underWay.size < concurrentTasksMax) return [];
  const running = listRunning(home).filter(({ ending }) => !fs.existsSync(ending));
  return [...new Set([...running.map(({ base }) => base), ...underWay])];
}
