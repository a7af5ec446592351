import { z } from "zod";
import { nodeSchema, type EntryEnvelope } from "./envelope.ts";
import { maybe } from "./maybe.ts";
import { openUnion, type SchemasBy, type UnknownType } from "./open-union.ts";

interface SystemEnvelope extends EntryEnvelope {
  type: "system";
  content?: string;
  level?: string;
}

/** Where the conversation was compacted. A new root: the next line is the summary. */
export interface CompactBoundaryEntry extends SystemEnvelope {
  subtype: "compact_boundary";
  /** The last line before the boundary; points at nothing in many files of 2.1.17 to 2.1.49. */
  logicalParentUuid?: string | null;
  compactMetadata?: CompactMetadata;
}

export interface CompactMetadata {
  /** Seen: `auto`, `manual`. */
  trigger?: string;
  preTokens?: number;
  postTokens?: number;
  durationMs?: number;
  /** Messages that stay before the boundary in the file but belong after the summary. */
  preservedSegment?: { headUuid?: string; anchorUuid?: string; tailUuid?: string };
  /** Some of `allUuids` are never written. */
  preservedMessages?: { anchorUuid?: string; uuids?: string[]; allUuids?: string[] };
}

/** Old tool results were cleared; unlike a compaction this stays inside the chain. */
export interface MicrocompactBoundaryEntry extends SystemEnvelope {
  subtype: "microcompact_boundary";
  microcompactMetadata?: {
    trigger?: string;
    preTokens?: number;
    tokensSaved?: number;
    compactedToolIds?: string[];
    clearedAttachmentUUIDs?: string[];
  };
}

export interface StopHookSummaryEntry extends SystemEnvelope {
  subtype: "stop_hook_summary";
  hookCount?: number;
  hookInfos?: unknown[];
  hookErrors?: unknown[];
  preventedContinuation?: boolean;
  stopReason?: string;
  hasOutput?: boolean;
  /** A uuid here, not a tool use. */
  toolUseID?: string;
}

export interface TurnDurationEntry extends SystemEnvelope {
  subtype: "turn_duration";
  durationMs?: number;
  messageCount?: number;
}

export interface ApiErrorEntry extends SystemEnvelope {
  subtype: "api_error";
  /** Its shape differs between providers. */
  error?: unknown;
  retryInMs?: number;
  retryAttempt?: number;
  maxRetries?: number;
}

/** Answers were taken back, and the request made again with another model. */
export interface ModelRefusalFallbackEntry extends SystemEnvelope {
  subtype: "model_refusal_fallback";
  retractedMessageUuids?: string[];
}

/** Subtypes that carry only text. */
export interface SystemTextEntry extends SystemEnvelope {
  subtype: "local_command" | "away_summary" | "informational" | "bridge_status" | "scheduled_task_fire";
}

/** A subtype we do not know, or none. */
export interface UnknownSystemEntry extends SystemEnvelope {
  subtype?: UnknownType;
  [key: string]: unknown;
}

type KnownSystemEntry =
  | CompactBoundaryEntry
  | MicrocompactBoundaryEntry
  | StopHookSummaryEntry
  | TurnDurationEntry
  | ApiErrorEntry
  | ModelRefusalFallbackEntry;

export type SystemEntry = KnownSystemEntry | SystemTextEntry | UnknownSystemEntry;

const systemShape = {
  type: z.literal("system"),
  ...maybe(z.string(), "content", "level"),
};

const compactMetadataSchema: z.ZodType<CompactMetadata> = z.looseObject({
  trigger: z.string().exactOptional(),
  ...maybe(z.number(), "preTokens", "postTokens", "durationMs"),
  preservedSegment: z.looseObject(maybe(z.string(), "headUuid", "anchorUuid", "tailUuid")).exactOptional(),
  preservedMessages: z
    .looseObject({
      anchorUuid: z.string().exactOptional(),
      ...maybe(z.array(z.string()), "uuids", "allUuids"),
    })
    .exactOptional(),
});

const subtypeSchemas: SchemasBy<"subtype", KnownSystemEntry> = {
  compact_boundary: nodeSchema({
    ...systemShape,
    logicalParentUuid: z.string().nullable().exactOptional(),
    compactMetadata: compactMetadataSchema.exactOptional(),
  }),
  microcompact_boundary: nodeSchema({
    ...systemShape,
    microcompactMetadata: z
      .looseObject({
        trigger: z.string().exactOptional(),
        ...maybe(z.number(), "preTokens", "tokensSaved"),
        ...maybe(z.array(z.string()), "compactedToolIds", "clearedAttachmentUUIDs"),
      })
      .exactOptional(),
  }),
  stop_hook_summary: nodeSchema({
    ...systemShape,
    hookCount: z.number().exactOptional(),
    ...maybe(z.array(z.unknown()), "hookInfos", "hookErrors"),
    ...maybe(z.boolean(), "preventedContinuation", "hasOutput"),
    ...maybe(z.string(), "stopReason", "toolUseID"),
  }),
  turn_duration: nodeSchema({ ...systemShape, ...maybe(z.number(), "durationMs", "messageCount") }),
  api_error: nodeSchema({
    ...systemShape,
    ...maybe(z.number(), "retryInMs", "retryAttempt", "maxRetries"),
  }),
  model_refusal_fallback: nodeSchema({
    ...systemShape,
    ...maybe(z.array(z.string()), "retractedMessageUuids"),
  }),
};

export const systemEntrySchema: z.ZodType<SystemEntry> = openUnion<SystemEntry>({
  key: "subtype",
  known: subtypeSchemas,
  other: nodeSchema({ ...systemShape, subtype: z.string().exactOptional() }),
});
