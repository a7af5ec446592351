import { isSafeName, projectKey } from "../format/paths.ts";
import { readToldNotice } from "../tasks/notices/confirm.ts";
import { listRunning } from "../tasks/record/running-tasks.ts";
import { readTask, type Task } from "../tasks/record/task.ts";
import { isSilent, taskFiles } from "../tasks/record/task-files.ts";
import { isEnded, type EndedState } from "../tasks/record/task-state.ts";
import type { LaunchLine } from "./manifest-line.ts";
import { lastAnswer, lastLines, readOutputEnd, readTranscriptEnd } from "./read-ending.ts";
import type { Look } from "./recovered-item.ts";

/** A task of Holdfast: its own files say all there is to know. */
export function lookAtOwn(home: string, launch: LaunchLine): Look | undefined {
  if (!isSafeName(launch.agent_id)) return undefined;
  const task = readTask(taskFiles(home, { projectKey: projectKey(launch.cwd), id: launch.agent_id }));
  return task && lookAtTask(task);
}

/** Whether a task of Holdfast that belongs to the session still runs. */
export function runsForSession(home: string, sessionId: string): boolean {
  return listRunning(home).some((files) => {
    const task = readTask(files);
    return task !== undefined && task.record.sessionId === sessionId && !isEnded(task.state);
  });
}

/** Whether nobody is to be told of the ending any more; its owner is, though another session was told in its stead. */
export function isNoticeOver(
  home: string,
  { agent_id: id, cwd }: Pick<LaunchLine, "agent_id" | "cwd">,
  { isMine }: { isMine: boolean },
): boolean {
  if (!isSafeName(id)) return false;
  const files = taskFiles(home, { projectKey: projectKey(cwd), id });
  return isSilent(files) && !(isMine && readToldNotice(files)?.standIn);
}

export function lookAtTask({ record, files, state }: Task): Look {
  if (!isEnded(state)) {
    return {
      status: "running",
      ...(state.status === "running" && state.pid !== undefined && { pids: [state.pid] }),
      ...(state.status === "queued" && {
        detail: `it waits for other tasks; it is number ${state.place} in the queue`,
      }),
      ...(state.status === "running" &&
        state.needsInput && { detail: `it asks whether it may use ${state.needsInput.tool}` }),
      knownBy: ["task record"],
    };
  }
  const result = record.kind === "local_bash" ? printedBy(files.output) : answerIn(files.output);
  return {
    status: state.status,
    endedAt: state.endedAt,
    ...("exitCode" in state && { exitCode: state.exitCode }),
    ...(result !== undefined && { result }),
    ...detailOf(state),
    ...noticeLook({ record, files }),
    knownBy: ["task ending"],
  };
}

/** What the notice of a task says now. A task that was removed has none. */
export function noticeNow(home: string, { id, cwd }: { id: string; cwd: string }): NoticeLook {
  const task = isSafeName(id) && readTask(taskFiles(home, { projectKey: projectKey(cwd), id }));
  return task ? noticeLook(task) : { isUnseen: true };
}

type NoticeLook = Pick<Look, "seenBy"> & { isUnseen: boolean };

function noticeLook({ record, files }: Pick<Task, "record" | "files">): NoticeLook {
  if (!isSilent(files)) return { isUnseen: !record.muted };
  const told = readToldNotice(files);
  return told?.standIn ? { isUnseen: true, seenBy: [told.by] } : { isUnseen: false };
}

function printedBy(output: string): string | undefined {
  const end = readOutputEnd(output);
  return end && lastLines(end.text);
}

// The output of an agent is a link to its transcript.
function answerIn(output: string): string | undefined {
  const end = readTranscriptEnd(output);
  return end && lastAnswer(end.text);
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
