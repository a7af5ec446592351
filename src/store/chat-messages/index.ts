/**
 * Conversations as plain chat messages: of the Anthropic Messages API and of the AI SDK, both ways.
 *
 * Owns what of a conversation a model is shown, how messages become entries, and the session that is made of them.
 * Never changes a session that is there, and depends on neither SDK: the shapes are structural.
 *
 * I1  Messages made here are accepted: roles alternate beginning with the user, every tool use is answered in the
 *     next message, no result is without its use, and no block holds what the API refuses.
 * I2  Entries made here become the same messages again; a second round changes nothing.
 */
export type {
  AnthropicAssistantBlock,
  AnthropicAssistantMessage,
  AnthropicDocument,
  AnthropicImage,
  AnthropicMessage,
  AnthropicMessageInput,
  AnthropicRedactedThinking,
  AnthropicText,
  AnthropicThinking,
  AnthropicToolResult,
  AnthropicToolUse,
  AnthropicUserBlock,
  AnthropicUserMessage,
} from "./anthropic-message.ts";
export { fromAnthropicMessages, type EntryContext } from "./from-anthropic-messages.ts";
export { fromModelMessages } from "./from-model-messages.ts";
export type {
  ModelFilePart,
  ModelImagePart,
  ModelMessage,
  ModelMessageInput,
  ModelPart,
  ModelReasoningPart,
  ModelTextPart,
  ModelToolCallPart,
  ModelToolContent,
  ModelToolOutput,
  ModelToolResultPart,
} from "./model-message.ts";
export { importMessages, type ImportOptions } from "./import-messages.ts";
export { readMessages } from "./session-messages.ts";
export { toAnthropicMessages } from "./to-anthropic-messages.ts";
export { toModelMessages } from "./to-model-messages.ts";
