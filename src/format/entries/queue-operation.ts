import { z } from "zod";
import { contentSchema, type ContentBlock } from "./content-block.ts";
import { maybe } from "./maybe.ts";

/** A change of the prompt queue: typed text and task notifications wait there while a turn runs. */
export interface QueueOperationEntry {
  type: "queue-operation";
  /** Seen: `enqueue` and `popAll` (with content), `dequeue`, `remove`. */
  operation: string;
  content?: string | ContentBlock[];
  timestamp?: string;
  sessionId?: string;
}

export const queueOperationEntrySchema: z.ZodType<QueueOperationEntry> = z.looseObject({
  type: z.literal("queue-operation"),
  operation: z.string(),
  content: contentSchema.exactOptional(),
  ...maybe(z.string(), "timestamp", "sessionId"),
});
