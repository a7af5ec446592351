import type { Usage } from "../../format/index.ts";

// The parts of the Messages API's request shape that a transcript can hold. Fits `MessageParam` of
// @anthropic-ai/sdk without depending on it. Types instead of interfaces, so that they also fit a runner's `ContentPart`,
// which may have any other keys.

export type AnthropicText = {
  type: "text";
  text: string;
};

export type AnthropicThinking = {
  type: "thinking";
  thinking: string;
  signature: string;
};

export type AnthropicRedactedThinking = {
  type: "redacted_thinking";
  data: string;
};

export type AnthropicToolUse = {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
};

export type AnthropicImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

export type AnthropicImage = {
  type: "image";
  source: { type: "base64"; media_type: AnthropicImageType; data: string } | { type: "url"; url: string };
};

export type AnthropicDocument = {
  type: "document";
  source:
    | { type: "base64"; media_type: "application/pdf"; data: string }
    | { type: "text"; media_type: "text/plain"; data: string }
    | { type: "url"; url: string };
  title?: string;
};

export type AnthropicToolResult = {
  type: "tool_result";
  tool_use_id: string;
  content?: string | (AnthropicText | AnthropicImage | AnthropicDocument)[];
  is_error?: true;
};

export type AnthropicUserBlock = AnthropicText | AnthropicImage | AnthropicDocument | AnthropicToolResult;

export type AnthropicAssistantBlock =
  | AnthropicText
  | AnthropicThinking
  | AnthropicRedactedThinking
  | AnthropicToolUse;

export type AnthropicUserMessage = {
  role: "user";
  content: AnthropicUserBlock[];
};

export type AnthropicAssistantMessage = {
  role: "assistant";
  content: AnthropicAssistantBlock[];
};

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
