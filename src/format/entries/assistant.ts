import { z } from "zod";
import { contentSchema, type ContentBlock } from "./content-block.ts";
import { nodeSchema, type EntryEnvelope } from "./envelope.ts";
import { maybe } from "./maybe.ts";
import { usageSchema, type Usage } from "./usage.ts";

/** An API message, or one block of it: the client writes one line for each content block. */
export interface AssistantMessage {
  /** The same on all lines of one split message. */
  id?: string;
  /** `<synthetic>` on lines the client made up itself; their usage is zero. */
  model?: string;
  role?: string;
  content: string | ContentBlock[];
  /** Null on all but the last line of a split message, and before 2.1.97 often there too. */
  stop_reason?: string | null;
  stop_sequence?: string | null;
  usage?: Usage;
}

export interface AssistantEntry extends EntryEnvelope {
  type: "assistant";
  message: AssistantMessage;
  /** Absent behind gateways. */
  requestId?: string;
  isApiErrorMessage?: boolean;
  error?: unknown;
  apiErrorStatus?: unknown;
  attributionSkill?: string;
  attributionMcpServer?: string;
  attributionMcpTool?: string;
}

export const assistantEntrySchema: z.ZodType<AssistantEntry> = nodeSchema({
  type: z.literal("assistant"),
  message: z.looseObject({
    ...maybe(z.string(), "id", "model", "role"),
    content: contentSchema,
    stop_reason: z.string().nullable().exactOptional(),
    stop_sequence: z.string().nullable().exactOptional(),
    usage: usageSchema.exactOptional(),
  }),
  ...maybe(z.string(), "requestId", "attributionSkill", "attributionMcpServer", "attributionMcpTool"),
  isApiErrorMessage: z.boolean().exactOptional(),
});
