import { textsIn } from "../../format/entry-kinds.ts";
import type { ContentBlock, ToolResultBlock } from "../../format/index.ts";
import { isJsonObject } from "../../format/json-object.ts";
import type {
  AnthropicAssistantBlock,
  AnthropicDocument,
  AnthropicImage,
  AnthropicImageType,
  AnthropicText,
  AnthropicToolResult,
  AnthropicToolUse,
} from "./anthropic-message.ts";

/**
 * The blocks of transcripts as the API accepts them, built anew with only the keys it knows. What it would
 * refuse (blank text, unsigned thinking, an image of an unknown kind, a block type of its own servers) is undefined.
 */
export function apiAssistantBlock(block: ContentBlock): AnthropicAssistantBlock | undefined {
  const fields = block as Record<string, unknown>;
  switch (fields["type"]) {
    case "text":
      return apiText(fields);
    case "thinking": {
      const { thinking, signature } = fields;
      if (typeof thinking !== "string" || typeof signature !== "string" || signature === "") return undefined;
      return { type: "thinking", thinking, signature };
    }
    case "redacted_thinking":
      return typeof fields["data"] === "string"
        ? { type: "redacted_thinking", data: fields["data"] }
        : undefined;
    case "tool_use":
      return apiToolUse(fields);
    default:
      return undefined;
  }
}

/** A block of a user message that is no tool result. */
export function apiUserBlock(
  block: ContentBlock,
): AnthropicText | AnthropicImage | AnthropicDocument | undefined {
  const fields = block as Record<string, unknown>;
  switch (fields["type"]) {
    case "text":
      return apiText(fields);
    case "image":
      return apiImage(fields["source"]);
    case "document":
      return apiDocument(fields);
    // The API refuses a reference to a tool that the request does not define.
    case "tool_reference":
      return { type: "text", text: `Tool ${String(fields["tool_name"])} is available` };
    default:
      return undefined;
  }
}

export function apiToolResult(block: ToolResultBlock): AnthropicToolResult {
  const { content } = block;
  const result: AnthropicToolResult = { type: "tool_result", tool_use_id: apiToolId(block.tool_use_id) };
  if (block.is_error === true) return { ...result, content: errorText(content), is_error: true };
  if (typeof content === "string") return { ...result, content };
  const blocks = Array.isArray(content) ? content.filter(isJsonObject).map(apiUserBlock) : [];
  const accepted = blocks.filter((accepts) => accepts !== undefined);
  return accepted.length === 0 ? result : { ...result, content: accepted };
}

/** Ids of other providers, met behind gateways, may hold characters that the API refuses. */
export function apiToolId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_") || "_";
}

function apiText({ text }: Record<string, unknown>): AnthropicText | undefined {
  return typeof text === "string" && text.trim() !== "" ? { type: "text", text } : undefined;
}

function apiToolUse({ id, name, input }: Record<string, unknown>): AnthropicToolUse | undefined {
  if (typeof id !== "string" || typeof name !== "string" || name === "") return undefined;
  const given = input === undefined || input === null ? {} : { value: input };
  return { type: "tool_use", id: apiToolId(id), name, input: isJsonObject(input) ? input : given };
}

function apiImage(source: unknown): AnthropicImage | undefined {
  if (!isJsonObject(source)) return undefined;
  const { type, media_type, data, url } = source;
  if (type === "url" && typeof url === "string") return { type: "image", source: { type, url } };
  if (type !== "base64" || typeof data !== "string" || data === "" || !isImageType(media_type))
    return undefined;
  return { type: "image", source: { type, media_type, data } };
}

function apiDocument({ source, title }: Record<string, unknown>): AnthropicDocument | undefined {
  if (!isJsonObject(source)) return undefined;
  const { type, media_type, data, url } = source;
  const titled = typeof title === "string" && title !== "" ? { title } : {};
  if (type === "url" && typeof url === "string")
    return { type: "document", source: { type, url }, ...titled };
  if (typeof data !== "string" || data.trim() === "") return undefined;
  if (type === "base64" && media_type === "application/pdf") {
    return { type: "document", source: { type, media_type, data }, ...titled };
  }
  if (type !== "text") return undefined;
  return { type: "document", source: { type, media_type: "text/plain", data }, ...titled };
}

export function isImageType(mediaType: unknown): mediaType is AnthropicImageType {
  return typeof mediaType === "string" && /^image\/(jpeg|png|gif|webp)$/.test(mediaType);
}

// A failed result may hold text only, and must hold some.
function errorText(content: ToolResultBlock["content"]): string {
  const text = textsIn(content).join("\n");
  return text.trim() === "" ? "The tool failed and said nothing" : text;
}
