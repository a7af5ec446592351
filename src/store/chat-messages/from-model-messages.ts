import type { AssistantEntry, UserEntry } from "../../format/index.ts";
import { isJsonObject } from "../../format/json-object.ts";
import type { AnthropicMessageInput } from "./anthropic-message.ts";
import { fromAnthropicMessages, type EntryContext } from "./from-anthropic-messages.ts";
import { mediaBlock } from "./media-block.ts";
import type { ModelMessageInput } from "./model-message.ts";

/**
 * Entries that tell these messages of the AI SDK, as `fromAnthropicMessages` writes them. Parts that the
 * Messages API has no place for (approvals, files that the model made) are left out.
 */
export function fromModelMessages(
  messages: Iterable<ModelMessageInput>,
  context: EntryContext,
): (UserEntry | AssistantEntry)[] {
  return fromAnthropicMessages([...messages].flatMap(anthropicMessages), context);
}

type Part = Record<string, unknown>;
type Block = { type: string } & Record<string, unknown>;

function anthropicMessages({ role, content }: ModelMessageInput): AnthropicMessageInput[] {
  if (typeof content === "string") return [{ role: role === "tool" ? "user" : role, content }];
  const parts = content.filter((part): part is { type: string } & Part => isJsonObject(part));
  if (role !== "assistant") {
    const blocks = parts.flatMap((part) => userBlock(part) ?? []);
    return [{ role: role === "system" ? "system" : "user", content: blocks }];
  }
  // Results of tools that the provider ran stand beside their calls; a transcript keeps them behind.
  const blocks = parts.flatMap((part) => assistantBlock(part) ?? []);
  const results = parts.flatMap((part) => toolResult(part) ?? []);
  return [
    { role, content: blocks },
    ...(results.length > 0 ? [{ role: "user" as const, content: results }] : []),
  ];
}

function userBlock(part: Part): Block | undefined {
  switch (part["type"]) {
    case "text":
      return textBlock(part);
    case "image":
      return mediaBlock({ data: part["image"], mediaType: part["mediaType"] ?? "image/*" });
    case "file":
      return mediaBlock({ data: part["data"], mediaType: part["mediaType"], filename: part["filename"] });
    case "tool-result":
      return toolResult(part);
    default:
      return undefined;
  }
}

function assistantBlock(part: Part): Block | undefined {
  switch (part["type"]) {
    case "text":
      return textBlock(part);
    case "reasoning":
      return reasoningBlock(part);
    case "tool-call": {
      const { toolCallId, toolName, input } = part;
      if (typeof toolCallId !== "string" || typeof toolName !== "string") return undefined;
      return { type: "tool_use", id: toolCallId, name: toolName, input };
    }
    default:
      return undefined;
  }
}

function textBlock({ text }: Part): Block | undefined {
  return typeof text === "string" ? { type: "text", text } : undefined;
}

function reasoningBlock({ text, providerOptions }: Part): Block | undefined {
  const options = isJsonObject(providerOptions) ? providerOptions["anthropic"] : undefined;
  const { signature, redactedData } = isJsonObject(options) ? options : {};
  if (typeof redactedData === "string") return { type: "redacted_thinking", data: redactedData };
  if (typeof text !== "string") return undefined;
  return { type: "thinking", thinking: text, ...(typeof signature === "string" && { signature }) };
}

function toolResult({ type, toolCallId, output }: Part): Block | undefined {
  if (type !== "tool-result" || typeof toolCallId !== "string" || !isJsonObject(output)) return undefined;
  return { type: "tool_result", tool_use_id: toolCallId, ...resultOf(output) };
}

function resultOf(output: Part): { content: unknown; is_error?: true } {
  const { type, value } = output;
  switch (type) {
    case "text":
      return { content: textOf(value) };
    case "error-text":
      return { content: textOf(value), is_error: true };
    case "error-json":
      return { content: JSON.stringify(value) ?? "", is_error: true };
    case "execution-denied":
      return {
        content: typeof output["reason"] === "string" ? output["reason"] : "Execution denied",
        is_error: true,
      };
    case "content":
      return {
        content: Array.isArray(value)
          ? value.filter(isJsonObject).flatMap((item) => resultBlock(item) ?? [])
          : [],
      };
    default:
      return { content: JSON.stringify(value) ?? "" };
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function resultBlock(item: Part): Block | undefined {
  const { type, data, url, mediaType, filename } = item;
  switch (type) {
    case "text":
      return textBlock(item);
    // `media` is the form of version 5, `file` that of version 7.
    case "media":
    case "image-data":
    case "file-data":
    case "file":
      return mediaBlock({ data, mediaType, filename });
    case "image-url":
      return mediaBlock({ data: url, mediaType: "image/*" });
    case "file-url":
      return mediaBlock({ data: url, mediaType });
    default:
      return undefined;
  }
}
