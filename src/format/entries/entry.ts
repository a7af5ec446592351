import type { z } from "zod";
import { assistantEntrySchema, type AssistantEntry } from "./assistant.ts";
import { attachmentEntrySchema, type AttachmentEntry } from "./attachment.ts";
import type { EntryEnvelope } from "./envelope.ts";
import {
  fileHistoryDeltaEntrySchema,
  fileHistorySnapshotEntrySchema,
  type FileHistoryDeltaEntry,
  type FileHistorySnapshotEntry,
} from "./file-history.ts";
import { openUnion, type UnknownType } from "./open-union.ts";
import { progressEntrySchema, type ProgressEntry } from "./progress.ts";
import { queueOperationEntrySchema, type QueueOperationEntry } from "./queue-operation.ts";
import { sessionMetaSchemas, type SessionMetaEntry } from "./session-meta.ts";
import { systemEntrySchema, type SystemEntry } from "./system.ts";
import { userEntrySchema, type UserEntry } from "./user.ts";

/** A line of a type we do not know, kept with all its keys. */
export interface UnknownEntry {
  type: UnknownType;
  [key: string]: unknown;
}

/** A line of a type we do not know that takes part in the chain. */
export interface UnknownNode extends EntryEnvelope {
  type: UnknownType;
  [key: string]: unknown;
}

/** The lines of known types that have a uuid and a parent. */
export type KnownNode = UserEntry | AssistantEntry | SystemEntry | ProgressEntry | AttachmentEntry;

/** The lines with a uuid and a parent: the graph of the conversation. */
export type NodeEntry = KnownNode | UnknownNode;

export type KnownEntry =
  | KnownNode
  | FileHistorySnapshotEntry
  | FileHistoryDeltaEntry
  | QueueOperationEntry
  | SessionMetaEntry;

/** A line of a transcript. Comparing its `type` with a known one narrows it. */
export type Entry = KnownEntry | UnknownEntry;

export type ParsedEntry =
  | { readonly ok: true; readonly entry: Entry }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks a parsed line. The entry is the value itself, not a copy, so its keys, their order and everything
 * unknown stay as they were written. A refusal names the first key that is wrong.
 */
export function parseEntry(value: unknown): ParsedEntry {
  const result = entrySchema.safeParse(value);
  if (result.success) return { ok: true, entry: value as Entry };
  const issue = result.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "entry" : issue.path.join(".");
  return { ok: false, reason: `${where}: ${issue?.message ?? "Invalid input"}` };
}

export const entrySchema: z.ZodType<Entry> = openUnion<Entry>({
  key: "type",
  known: {
    user: userEntrySchema,
    assistant: assistantEntrySchema,
    system: systemEntrySchema,
    progress: progressEntrySchema,
    attachment: attachmentEntrySchema,
    "file-history-snapshot": fileHistorySnapshotEntrySchema,
    "file-history-delta": fileHistoryDeltaEntrySchema,
    "queue-operation": queueOperationEntrySchema,
    ...sessionMetaSchemas,
  },
});
