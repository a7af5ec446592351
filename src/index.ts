/** The public names of Holdfast, listed by hand. */
export { openRuntime, type Runtime, type RuntimeOptions } from "./runtime/open-runtime.ts";
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
