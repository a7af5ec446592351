/** The public names of Holdfast, listed by hand. */
export { openRuntime, type RecoverQuery, type Runtime, type RuntimeOptions } from "./runtime/open-runtime.ts";
export type { RuntimeTasks } from "./runtime/lazy-tasks.ts";
export { HoldfastError } from "./lib/errors.ts";
export type { Clock } from "./lib/clock.ts";
export type { Entry } from "./format/entries/entry.ts";
export type {
  Compaction,
  Conversation,
  ConversationGap,
  ConversationOptions,
  Durability,
  EntryDraft,
  EntryFilter,
  FollowEvent,
  FollowOptions,
  ForkResult,
  ListOptions,
  ReadConversation,
  Rejection,
  RejectionReason,
  SessionAgent,
  SessionRef,
  SessionStore,
  SessionSummary,
  SessionUsage,
  SessionWriter,
  SessionWriterOptions,
  StreamedLine,
  TokenCounts,
  TrashedSession,
} from "./store/index.ts";
export type {
  EndedState,
  EndedTask,
  FollowOutputOptions,
  ListTasksOptions,
  Notice,
  NoticeQuery,
  PrunedTask,
  PruneOptions,
  RetrievalStatus,
  RunningState,
  ShellOutput,
  ShellRequest,
  StopOptions,
  Task,
  TaskEvent,
  TaskKind,
  TaskOutputOptions,
  TaskRecord,
  TaskState,
  TaskStatus,
  WaitOptions,
} from "./tasks/index.ts";
export type { DuplicateWork, RecoveredItem, Recovery } from "./recovery/index.ts";
