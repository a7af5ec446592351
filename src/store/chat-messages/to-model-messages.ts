import type { Entry } from "../../format/index.ts";
import type {
  AnthropicAssistantBlock,
  AnthropicDocument,
  AnthropicImage,
  AnthropicMessage,
  AnthropicText,
  AnthropicToolResult,
} from "./anthropic-message.ts";
import type {
  ModelFilePart,
  ModelImagePart,
  ModelMessage,
  ModelReasoningPart,
  ModelTextPart,
  ModelToolCallPart,
  ModelToolContent,
  ModelToolOutput,
} from "./model-message.ts";
import { toAnthropicMessages } from "./to-anthropic-messages.ts";

/** A conversation as messages of the AI SDK, with the same guarantees as `toAnthropicMessages`. */
export function toModelMessages(entries: Iterable<Entry>): ModelMessage[] {
  const toolNames = new Map<string, string>();
  return toAnthropicMessages(entries).flatMap((message) => modelMessagesOf(message, toolNames));
}

function modelMessagesOf(message: AnthropicMessage, toolNames: Map<string, string>): ModelMessage[] {
  if (message.role === "assistant") {
    for (const block of message.content) if (block.type === "tool_use") toolNames.set(block.id, block.name);
    return [{ role: "assistant", content: message.content.map(assistantPart) }];
  }
  const results = message.content.filter((block) => block.type === "tool_result");
  const said = message.content.filter((block) => block.type !== "tool_result");
  const messages: ModelMessage[] = [];
  if (results.length > 0) {
    const content = results.map((block) => ({
      type: "tool-result" as const,
      toolCallId: block.tool_use_id,
      toolName: toolNames.get(block.tool_use_id) ?? "",
      output: toolOutput(block),
    }));
    messages.push({ role: "tool", content });
  }
  if (said.length > 0) messages.push({ role: "user", content: said.map(userPart) });
  return messages;
}

function assistantPart(
  block: AnthropicAssistantBlock,
): ModelTextPart | ModelReasoningPart | ModelToolCallPart {
  switch (block.type) {
    case "text":
      return block;
    case "thinking": {
      const { thinking, signature } = block;
      return { type: "reasoning", text: thinking, providerOptions: { anthropic: { signature } } };
    }
    case "redacted_thinking":
      return { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: block.data } } };
    case "tool_use":
      return { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.input };
  }
}

function userPart(
  block: AnthropicText | AnthropicImage | AnthropicDocument,
): ModelTextPart | ModelImagePart | ModelFilePart {
  if (block.type === "text") return block;
  if (block.type === "document") {
    const { title } = block;
    return { type: "file", ...documentData(block), ...(title !== undefined && { filename: title }) };
  }
  const { source } = block;
  if (source.type === "url") return { type: "image", image: source.url };
  return { type: "image", image: source.data, mediaType: source.media_type };
}

function toolOutput({ content, is_error }: AnthropicToolResult): ModelToolOutput {
  if (is_error) return { type: "error-text", value: typeof content === "string" ? content : "" };
  if (content === undefined || typeof content === "string") return { type: "text", value: content ?? "" };
  return { type: "content", value: content.map(toolContent) };
}

function toolContent(block: AnthropicText | AnthropicImage | AnthropicDocument): ModelToolContent {
  if (block.type === "text") return block;
  if (block.type === "image") {
    const { source } = block;
    if (source.type === "url") return { type: "image-url", url: source.url };
    return { type: "image-data", data: source.data, mediaType: source.media_type };
  }
  const { data, mediaType } = documentData(block);
  if (block.source.type === "url") return { type: "file-url", url: data, mediaType };
  const { title } = block;
  return { type: "file-data", data, mediaType, ...(title !== undefined && { filename: title }) };
}

/** A document by URL is a PDF: the API takes no other. */
function documentData({ source }: AnthropicDocument): { data: string; mediaType: string } {
  switch (source.type) {
    case "base64":
      return { data: source.data, mediaType: source.media_type };
    case "text":
      return { data: Buffer.from(source.data).toString("base64"), mediaType: source.media_type };
    case "url":
      return { data: source.url, mediaType: "application/pdf" };
  }
}
