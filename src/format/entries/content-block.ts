import { z } from "zod";
import { maybe } from "./maybe.ts";
import { openUnion, type SchemasBy, type UnknownType } from "./open-union.ts";

export interface TextBlock {
  type: "text";
  text: string;
}

export interface ThinkingBlock {
  type: "thinking";
  thinking: string;
  signature?: string;
}

export interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input?: unknown;
}

export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content?: string | ContentBlock[];
  is_error?: boolean;
}

export interface ImageBlock {
  type: "image";
  source: { type: string; media_type?: string; data?: string; url?: string };
}

/** A PDF or a text that was given along. */
export interface DocumentBlock {
  type: "document";
  source?: unknown;
  title?: string | null;
}

/** Names a tool whose definition was loaded late; found inside tool results. */
export interface ToolReferenceBlock {
  type: "tool_reference";
  tool_name: string;
}

/** A block of a type we do not know, with all its keys. */
export interface UnknownBlock {
  type: UnknownType;
  [key: string]: unknown;
}

export type KnownBlock =
  | TextBlock
  | ThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | ToolReferenceBlock;

export type ContentBlock = KnownBlock | UnknownBlock;

const blockSchemas: SchemasBy<"type", KnownBlock> = {
  text: z.looseObject({ text: z.string() }),
  thinking: z.looseObject({ thinking: z.string(), signature: z.string().exactOptional() }),
  tool_use: z.looseObject({ id: z.string(), name: z.string() }),
  tool_result: z.lazy(() =>
    z.looseObject({
      tool_use_id: z.string(),
      content: contentSchema.exactOptional(),
      is_error: z.boolean().exactOptional(),
    }),
  ),
  image: z.looseObject({
    source: z.looseObject({ type: z.string(), ...maybe(z.string(), "media_type", "data", "url") }),
  }),
  document: z.looseObject({ title: z.string().nullable().exactOptional() }),
  tool_reference: z.looseObject({ tool_name: z.string() }),
};

const contentBlockSchema = openUnion<ContentBlock>({ key: "type", known: blockSchemas });

/** What a message or a tool result holds: plain text or blocks. */
export const contentSchema: z.ZodType<string | ContentBlock[]> = z.union([
  z.string(),
  z.array(contentBlockSchema),
]);
