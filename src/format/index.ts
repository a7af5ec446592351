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
export type * from "./entries/assistant.ts";
export type * from "./entries/attachment.ts";
export type * from "./entries/content-block.ts";
export type * from "./entries/entry.ts";
export { entrySchema, parseEntry } from "./entries/entry.ts";
export type { EntryEnvelope } from "./entries/envelope.ts";
export type * from "./entries/file-history.ts";
export type * from "./entries/progress.ts";
export type * from "./entries/queue-operation.ts";
export type * from "./entries/session-meta.ts";
export type * from "./entries/system.ts";
export type * from "./entries/usage.ts";
export type * from "./entries/user.ts";
export {
  blocksOf,
  isAssistant,
  isCompactBoundary,
  isCompactSummary,
  isKnownEntry,
  isMessage,
  isNode,
  isTypedPrompt,
  isUser,
  promptTextOf,
  textOf,
  toolResultsOf,
  toolUsesOf,
  uuidOf,
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
export { parseToolUseResult } from "./tool-use-result.ts";
export type * from "./tool-use-result.ts";
