/**
 * Owns every byte of transcripts and their companions: reading, appending, listing, forking, moving, trashing.
 * Never runs anything, never prints, never reads the environment.
 *
 * I1  Files are the truth. Offset tables and listings are caches: checked before use, rebuilt when in doubt.
 * I2  A line that is not an entry is reported with its byte offset, never skipped in silence, never fatal.
 * I3  An acknowledged append is in the file, whole, once; with durability `sync` on the disk.
 * I4  One writer a transcript, by a lease that a dead owner cannot hold.
 * I5  What somebody else wrote is never rewritten: forks are new files, repairs keep a backup.
 * I6  Memory is bounded by what is asked for, not by the size of the file.
 */
export { openSessionStore } from "./open-session-store.ts";
export type { SessionStore } from "./session-store.ts";
export type { SessionRef } from "./list/find-session.ts";
export type { IndexTrouble } from "./index/derived-index.ts";
export type { FoundMessage } from "./list/find-message.ts";
export type { SessionsElsewhere } from "./list/project-sessions.ts";
export type { ListOptions, SessionSummary } from "./list/list-sessions.ts";
export { readConversation } from "./read/conversation.ts";
export type {
  Conversation,
  ConversationGap,
  ConversationOptions,
  ReadConversation,
} from "./read/conversation.ts";
export type { Elsewhere } from "./read/elsewhere.ts";
export type { EntryFilter } from "./read/entry-filter.ts";
export { streamEntries, type StreamedLine } from "./read/stream-entries.ts";
export { followTranscript, type FollowEvent, type FollowOptions } from "./read/follow-transcript.ts";
export type { Rejection, RejectionReason } from "./line/rejection.ts";
export type { Compaction } from "./read/entry-lookup.ts";
export type { StrayAgent } from "./list/stray-agents.ts";
export type { SessionAgent } from "./list/session-agents.ts";
export { readUsage, type SessionUsage, type TokenCounts } from "./read/session-usage.ts";
export type { Attendance } from "./write/session-presence.ts";
export type { EntryDraft, SessionWriter, SessionWriterOptions } from "./write/session-writer.ts";
export { openTranscriptWriter } from "./write/transcript-writer.ts";
export type { Durability } from "./write/transcript-writer.ts";
export type { ForkResult } from "./change/fork-session.ts";
export type { ProjectReset } from "./change/reset-project.ts";
export type { TrashedSession } from "./change/trash-session.ts";
export type {
  Archive,
  ArchivedSession,
  ArchiveOptions,
  ArchiveRequest,
  ArchiveResult,
  KeepOptions,
  KeepResult,
} from "./archive/index.ts";
export type {
  AnthropicMessage,
  AnthropicMessageInput,
  ImportOptions,
  ModelMessage,
  ModelMessageInput,
} from "./chat-messages/index.ts";
export type {
  DiffRequest,
  FileDiff,
  FileHistory,
  FileSnapshot,
  LargeOutputPiece,
  LeftFile,
  LeftFiles,
  PromptHistory,
  ReadLeftFileOptions,
  Settings as ClientSettings,
  TodoItem,
  TodoList,
  Todos,
  TrackedFile,
  TypedPrompt,
  UndoChange,
  UndoRequest,
  UndoResult,
  WrittenOutput,
} from "./companions/index.ts";
