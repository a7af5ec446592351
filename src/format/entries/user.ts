import { z } from "zod";
import { contentSchema, type ContentBlock } from "./content-block.ts";
import { nodeSchema, type EntryEnvelope } from "./envelope.ts";
import { maybe } from "./maybe.ts";

export interface UserMessage {
  role?: string;
  content: string | ContentBlock[];
}

/** A prompt, a tool result, or text the client put in the user's place (see `isTypedPrompt`). */
export interface UserEntry extends EntryEnvelope {
  type: "user";
  message: UserMessage;
  /** What the tool returned, in the tool's own shape; `parseToolUseResult` reads the known ones. */
  toolUseResult?: unknown;
  /** The assistant line that asked for this tool result. */
  sourceToolAssistantUUID?: string;
  /** The tool use that expanded into this text (a skill or command). */
  sourceToolUseID?: string;
  isCompactSummary?: boolean;
  isVisibleInTranscriptOnly?: boolean;
  permissionMode?: string;
  /** Seen: `typed`, `sdk`, `system`, `queued`. */
  promptSource?: string;
  promptId?: string;
  /** Who spoke, where it was not simply the user. Seen: `human`, `task-notification`, `peer` (another agent, with its name). */
  origin?: { kind?: string; name?: string; from?: string; body?: string } | null;
  planContent?: string;
  interruptedMessageId?: string;
  thinkingMetadata?: unknown;
  todos?: unknown;
  imagePasteIds?: unknown;
}

export const userEntrySchema: z.ZodType<UserEntry> = nodeSchema({
  type: z.literal("user"),
  message: z.looseObject({ role: z.string().exactOptional(), content: contentSchema }),
  ...maybe(
    z.string(),
    "sourceToolAssistantUUID",
    "sourceToolUseID",
    "permissionMode",
    "promptSource",
    "promptId",
  ),
  ...maybe(z.boolean(), "isCompactSummary", "isVisibleInTranscriptOnly"),
  origin: z
    .looseObject(maybe(z.string(), "kind", "name", "from", "body"))
    .nullable()
    .exactOptional(),
  ...maybe(z.string(), "planContent", "interruptedMessageId"),
});
