/**
 * Owns the life of background tasks: launch, state, output, stop, notices, events, eviction.
 * Never keeps a task in memory only: a task is its files, and any process that opens the home sees it.
 *
 * I1  A launch is acknowledged only when its record is on the disk and its supervisor runs.
 * I2  The ending is a file that is created once, by the task's own supervisor, or by the first who sees that it can
 *     never come (`lost`). A terminal status never changes.
 * I3  A task whose processes live on has not ended.
 * I4  A notice is offered to one reader at a time, and delivered once, by a file that one process creates.
 * I5  Nothing that runs is evicted.
 */
export type { NoticeQuery, Tasks } from "./open-tasks.ts";
export type { AgentOutput } from "./kinds/agent/agent-output.ts";
export type { GivenAnswer } from "./kinds/agent/permission-answer.ts";
export type { AgentActivity, AgentProgress, NeededInput } from "./kinds/agent/agent-progress.ts";
export type { AgentOutcome, AgentResult } from "./kinds/agent/agent-result.ts";
export type * from "./kinds/agent/agent-settings.ts";
export type * from "./ports.ts";
export type { AttachedTerminal } from "./kinds/shell/attach-to-terminal.ts";
export type { NoticeFate, OutputFileFacts, TaskDetails } from "./inspect-task.ts";
export type { OutputText, ReadOptions } from "./output/read-output.ts";
export type { TaskOutput } from "./kind-handler.ts";
export type { ShellRequest } from "./kinds/shell/shell-request.ts";
export type { ListTasksOptions } from "./list/list-tasks.ts";
export type { ListedTask } from "./list/listed-task.ts";
export type { AnswerFile } from "./kinds/agent/permission-answer.ts";
export type { OutputWindow, WindowRequest } from "./output/read-window.ts";
export type { OutputFound, OutputQuery } from "./output/search-output.ts";
export type { LedgerEntry } from "./notices/read-ledger.ts";
export type { ListedProcess } from "./supervise/list-processes.ts";
export type { RowChanges } from "./live/known-rows.ts";
export type { TaskMoment } from "./live/live-message.ts";
export type { LiveTasks } from "./live/live-tasks.ts";
export type { RowFacts, TaskRow } from "./live/task-row.ts";
export type { Notice } from "./notices/notices.ts";
export type { RetrievalStatus, ShellOutput, TaskOutputOptions } from "./output/task-output.ts";
export type {
  FollowBytesOptions,
  FollowOutputOptions,
  OutputPiece,
  OutputStream,
} from "./output/follow-output.ts";
export type { PrunedTask, PruneOptions, PruneProgress } from "./prune/prune-tasks.ts";
export type { StopOptions } from "./supervise/stop-task.ts";
export type { Task } from "./record/task.ts";
export type { EventsOptions } from "./events/task-events.ts";
export type { TaskEvent, TaskEventListener, TaskUsage } from "./events/task-event.ts";
export type { TaskKind, TaskRecord } from "./record/task-record.ts";
export type { EndedState, RunningState, TaskState, TaskStatus } from "./record/task-state.ts";
export type { EndedTask, SeveralOptions, WaitedFor, WaitOptions } from "./record/wait-task.ts";
