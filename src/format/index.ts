/**
 * The on-disk contract: where files lie, what they are called, what a line and a notification mean.
 *
 * Owns paths, ids, entry types and their schemas, the notification text, and every limit.
 * Never touches the disk, the clock, the environment or a source of randomness: it is given values.
 *
 * I1  Unknown entry types and keys pass, and an entry handed back is the very object that was read.
 * I2  A name becomes part of a path only if it is a single safe component; all else throws a RangeError.
 * I3  Nothing a task wrote can open or close a tag in text that is built here.
 * I4  What is read is distrusted: bad input is a returned refusal or undefined, never an exception.
 *
 * Inside the package import the single files: this index loads zod, which costs 50 ms at start.
 */
export { taskSummary } from "./task-summary.ts";
export type { AssistantEntry, AssistantMessage } from "./entries/assistant.ts";
export type {
  Attachment,
  AttachmentEntry,
  FileAttachment,
  HookAttachment,
  OtherAttachment,
  PlanModeAttachment,
  QueuedCommandAttachment,
  ReminderAttachment,
} from "./entries/attachment.ts";
export type {
  ContentBlock,
  ImageBlock,
  KnownBlock,
  TextBlock,
  ThinkingBlock,
  ToolReferenceBlock,
  ToolResultBlock,
  ToolUseBlock,
  UnknownBlock,
} from "./entries/content-block.ts";
export type { Entry, NodeEntry, ParsedEntry, UnknownEntry, UnknownNode } from "./entries/entry.ts";
export { entrySchema, parseEntry } from "./entries/entry.ts";
export type { EntryEnvelope } from "./entries/envelope.ts";
export type { FileBackup, FileHistoryDeltaEntry, FileHistorySnapshotEntry } from "./entries/file-history.ts";
export type {
  AgentProgressData,
  BashProgressData,
  HookProgressData,
  McpProgressData,
  ProgressData,
  ProgressEntry,
  UnknownProgressData,
  WaitingForTaskData,
} from "./entries/progress.ts";
export type { QueueOperationEntry } from "./entries/queue-operation.ts";
export type {
  AgentNameEntry,
  AiTitleEntry,
  ClientStateEntry,
  CustomTitleEntry,
  LastPromptEntry,
  ModeEntry,
  PermissionModeEntry,
  PrLinkEntry,
  SessionMetaEntry,
  SummaryEntry,
  TagEntry,
} from "./entries/session-meta.ts";
export type {
  ApiErrorEntry,
  CompactBoundaryEntry,
  CompactMetadata,
  MicrocompactBoundaryEntry,
  StopHookSummaryEntry,
  SystemEntry,
  SystemTextEntry,
  TurnDurationEntry,
  UnknownSystemEntry,
} from "./entries/system.ts";
export type { Usage } from "./entries/usage.ts";
export type { UserEntry, UserMessage } from "./entries/user.ts";
export {
  blocksOf,
  isAssistant,
  isCompactBoundary,
  isCompactSummary,
  isMessage,
  isNode,
  isTypedPrompt,
  isUser,
  promptTextOf,
  textOf,
  toolResultsOf,
  toolUsesOf,
} from "./entry-kinds.ts";
export { isUuid, newTaskId, parseTaskId, type NewTaskIdKind, type TaskId, type TaskIdKind } from "./ids.ts";
export { idLengthMax, lineBytesMax, nameBytesMax, projectKeyLengthMax } from "./limits.ts";
export { neutraliseTags } from "./neutralise-tags.ts";
export {
  configPaths,
  holdfastPaths,
  isSafeName,
  projectKey,
  projectKeyMatches,
  projectSettingsFiles,
  type ConfigPaths,
  type HoldfastPaths,
  type SessionAgentRef,
  type SessionRef,
} from "./paths.ts";
export {
  buildTaskNotification,
  parseTaskNotification,
  type TaskNotification,
  type TaskNotificationUsage,
} from "./task-notification.ts";
export {
  parseToolUseResult,
  type AgentCompletedResult,
  type AgentLaunchedResult,
  type BashResult,
  type TaskCreateResult,
  type TaskListResult,
  type TaskOutputResult,
  type TaskStopResult,
  type TaskUpdateResult,
  type TeammateSpawnedResult,
  type TodoWriteResult,
  type ToolUseResult,
} from "./tool-use-result.ts";
