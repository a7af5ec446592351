import type { Usage } from "../../format/index.ts";

// The parts of the Messages API's request shape that a transcript can hold. Fits `MessageParam` of
// @anthropic-ai/sdk without depending on it.

export interface AnthropicText {
  type: "text";
  text: string;
}

export interface AnthropicThinking {
  type: "thinking";
  thinking: string;
  signature: string;
}

export interface AnthropicRedactedThinking {
  type: "redacted_thinking";
  data: string;
}

export interface AnthropicToolUse {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export type AnthropicImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

export interface AnthropicImage {
  type: "image";
  source: { type: "base64"; media_type: AnthropicImageType; data: string } | { type: "url"; url: string };
}

export interface AnthropicDocument {
  type: "document";
  source:
    | { type: "base64"; media_type: "application/pdf"; data: string }
    | { type: "text"; media_type: "text/plain"; data: string }
    | { type: "url"; url: string };
  title?: string;
}

export interface AnthropicToolResult {
  type: "tool_result";
  tool_use_id: string;
  content?: string | (AnthropicText | AnthropicImage | AnthropicDocument)[];
  is_error?: true;
}

export type AnthropicUserBlock = AnthropicText | AnthropicImage | AnthropicDocument | AnthropicToolResult;

export type AnthropicAssistantBlock =
  | AnthropicText
  | AnthropicThinking
  | AnthropicRedactedThinking
  | AnthropicToolUse;

export interface AnthropicUserMessage {
  role: "user";
  content: AnthropicUserBlock[];
}

export interface AnthropicAssistantMessage {
  role: "assistant";
  content: AnthropicAssistantBlock[];
}

export type AnthropicMessage = AnthropicUserMessage | AnthropicAssistantMessage;

/** A message as the API takes it or returns it: what is beyond role and content is kept in the transcript. */
export interface AnthropicMessageInput {
  role: "user" | "assistant" | "system";
  content: string | readonly (AnthropicUserBlock | AnthropicAssistantBlock | { type: string })[];
  id?: string;
  model?: string;
  stop_reason?: string | null;
  stop_sequence?: string | null;
  usage?: Usage;
}
