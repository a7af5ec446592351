import fs from "node:fs";
import { isSafeName, projectKey } from "../format/paths.ts";
import { readTask, type Task } from "../tasks/task.ts";
import { taskFiles } from "../tasks/task-files.ts";
import { isEnded, type EndedState } from "../tasks/task-state.ts";
import type { LaunchLine } from "./manifest-line.ts";
import { lastAnswer, lastLines, readOutputEnd } from "./read-ending.ts";
import type { Look } from "./recovered-item.ts";

/** A task of Holdfast: its own files say all there is to know. */
export function lookAtOwn(home: string, launch: LaunchLine): Look | undefined {
  if (!isSafeName(launch.agent_id)) return undefined;
  const task = readTask(taskFiles(home, { projectKey: projectKey(launch.cwd), id: launch.agent_id }));
  return task && lookAtTask(task);
}

export function lookAtTask({ record, files, state }: Task): Look {
  if (!isEnded(state)) {
    return {
      status: "running",
      ...(state.status === "running" && state.pid !== undefined && { pids: [state.pid] }),
      ...(state.status === "queued" && { detail: `it waits for other tasks, place ${state.place}` }),
      ...(state.status === "running" &&
        state.needsInput && { detail: `it waits for an answer whether it may use ${state.needsInput.tool}` }),
      knownBy: ["task record"],
    };
  }
  const end = readOutputEnd(files.output);
  const result = end && (record.kind === "local_bash" ? lastLines(end.text) : lastAnswer(end.text));
  return {
    status: state.status,
    endedAt: state.endedAt,
    ...("exitCode" in state && { exitCode: state.exitCode }),
    ...(result !== undefined && { result }),
    ...detailOf(state),
    isUnseen: !record.muted && !fs.existsSync(files.noticeConsumed) && !fs.existsSync(files.noticeMuted),
    knownBy: ["task ending"],
  };
}

function detailOf(state: EndedState): { detail?: string } {
  switch (state.status) {
    case "lost":
      return { detail: state.cause };
    case "stopped":
      return { detail: `stopped by ${state.stoppedBy}` };
    case "failed":
      return state.reason === "exit" ? {} : { detail: `ended by Holdfast: ${state.reason}` };
    case "completed":
      return {};
  }
}
