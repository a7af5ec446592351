import path from "node:path";
import { codeOf } from "../../../lib/errors.ts";
import type { LaunchContext } from "../../supervise/launch-task.ts";
import { findTask } from "../../list/find-task.ts";
import { countBusy } from "../../record/running-tasks.ts";
import { refreshed, type Task } from "../../record/task.ts";
import { launchShell, type LaunchedTask } from "./launch-shell.ts";
import { taskPlaces, withCommand, type CommandRequest, type ShellRequest } from "./shell-request.ts";

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
  const running = countBusy(context.home, taskPlaces);
  return orQueued(request, running, (busy) => launchShell(context, request, { running: busy, after }));
}

/** Starts it again as one that waits, if it may, when others were faster to take the last places. */
export async function orQueued<Started>(
  { queue }: { queue?: boolean | undefined },
  running: number,
  start: (running: number) => Promise<Started>,
): Promise<Started> {
  try {
    return await start(running);
  } catch (error) {
    if (!queue || codeOf(error) !== "task_limit") throw error;
    return start(Infinity);
  }
}

// Whoever starts it or reads the record may be somewhere else. No folder at all is refused as such.
function withAbsoluteFolder(request: CommandRequest): CommandRequest {
  const { cwd } = request;
  return cwd === "" || path.isAbsolute(cwd) ? request : { ...request, cwd: path.resolve(cwd) };
}
