import { z } from "zod";
import { maybe } from "./maybe.ts";
import { openUnion } from "./open-union.ts";

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

/** Names a tool whose definition was loaded late; found inside tool results. */
export interface ToolReferenceBlock {
  type: "tool_reference";
  tool_name: string;
}

/** A block of a type we do not know, with all its keys. */
export interface UnknownBlock {
  type: string;
  [key: string]: unknown;
}

export type KnownBlock =
  | TextBlock
  | ThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | ToolReferenceBlock;

export type ContentBlock = KnownBlock | UnknownBlock;

const textBlockSchema: z.ZodType<TextBlock> = z.looseObject({ type: z.literal("text"), text: z.string() });

const thinkingBlockSchema: z.ZodType<ThinkingBlock> = z.looseObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().exactOptional(),
});

const toolUseBlockSchema: z.ZodType<ToolUseBlock> = z.looseObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
});

const toolResultBlockSchema: z.ZodType<ToolResultBlock> = z.lazy(() =>
  z.looseObject({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: contentSchema.exactOptional(),
    is_error: z.boolean().exactOptional(),
  }),
);

const imageBlockSchema: z.ZodType<ImageBlock> = z.looseObject({
  type: z.literal("image"),
  source: z.looseObject({
    type: z.string(),
    ...maybe(z.string(), "media_type", "data", "url"),
  }),
});

const toolReferenceBlockSchema: z.ZodType<ToolReferenceBlock> = z.looseObject({
  type: z.literal("tool_reference"),
  tool_name: z.string(),
});

export const contentBlockSchema: z.ZodType<ContentBlock> = openUnion<ContentBlock>({
  key: "type",
  known: {
    text: textBlockSchema,
    thinking: thinkingBlockSchema,
    tool_use: toolUseBlockSchema,
    tool_result: toolResultBlockSchema,
    image: imageBlockSchema,
    tool_reference: toolReferenceBlockSchema,
  },
});

/** What a message or a tool result holds: plain text or blocks. */
export const contentSchema: z.ZodType<string | ContentBlock[]> = z.union([
  z.string(),
  z.array(contentBlockSchema),
]);
