import { blocksOf, isAssistant, isCompactBoundary, isUser, textsIn } from "../format/entry-kinds.ts";
import type { AssistantEntry } from "../format/entries/assistant.ts";
import type { ToolUseBlock } from "../format/entries/content-block.ts";
import type { Entry } from "../format/entries/entry.ts";
import type { CompactBoundaryEntry } from "../format/entries/system.ts";
import { isJsonObject } from "../format/json-object.ts";
import { plural } from "../lib/quantities.ts";
import type { CompactionItem, ConversationItem, ToolAgent, ToolItem } from "./conversation-item.ts";
import { serverResult } from "./server-result.ts";
import { startsAgent, toolDetail } from "./tool-detail.ts";
import { documentsIn, firstText, imagesIn, spokenItems, userItems, type LooseResult } from "./user-items.ts";

/** A tool call that is yet to find its result. */
export interface LooseCall {
  kind: "call";
  toolUseId: string;
  tool: ToolItem;
}

/** What one entry holds. Distrusts its shape: a key of another type is as good as missing. */
export function* entryItems(entry: Entry): Generator<ConversationItem | LooseCall | LooseResult> {
  if (isUser(entry)) yield* userItems(entry);
  else if (isAssistant(entry)) yield* assistantItems(entry);
  else if (isCompactBoundary(entry)) yield compaction(entry);
  else if (entry.type === "system") yield systemItem(entry);
  else if (entry.type === "attachment") yield* attachmentItems(entry.attachment);
  else if (entry.type === "queue-operation") yield* spokenItems(textsIn(entry.content), queued(entry));
  else yield { kind: "context", name: entry.type };
}

function* assistantItems(entry: AssistantEntry): Generator<ConversationItem | LooseCall | LooseResult> {
  const { timestamp: at, isApiErrorMessage } = entry;
  for (const block of blocksOf(entry)) {
    const { type, text, thinking } = block as { type: string; text?: unknown; thinking?: unknown };
    if (type === "text" && typeof text === "string" && text.trim() !== "") {
      if (isApiErrorMessage === true) yield { kind: "notice", text, isError: true };
      else yield { kind: "answer", text, at };
    } else if (type === "thinking" && typeof thinking === "string" && thinking.trim() !== "") {
      yield { kind: "thinking", text: thinking };
    } else if (type.endsWith("tool_use") && "id" in block && "name" in block) {
      yield looseCall(block as ToolUseBlock, entry);
    } else if (type.endsWith("tool_result")) yield* serverResult(block);
  }
}

function looseCall({ id, name, input }: ToolUseBlock, { cwd, timestamp: at }: AssistantEntry): LooseCall {
  const tool: ToolItem = { kind: "tool", name, ...toolDetail({ name, input, cwd }), input, at };
  if (startsAgent(name) && isJsonObject(input)) tool.agent = agentOf(input);
  return { kind: "call", toolUseId: id, tool };
}

function agentOf(input: Record<string, unknown>): ToolAgent {
  const { subagent_type: type, description } = input;
  return {
    ...(typeof type === "string" && { type }),
    ...(typeof description === "string" && { description }),
  };
}

function compaction({ compactMetadata, timestamp }: CompactBoundaryEntry): CompactionItem {
  const { trigger, preTokens, postTokens } = compactMetadata ?? {};
  return { kind: "compaction", trigger, tokensBefore: preTokens, tokensAfter: postTokens, at: timestamp };
}

interface SystemFacts {
  subtype?: string;
  content?: unknown;
  error?: unknown;
  retryAttempt?: number;
  maxRetries?: number;
  hookErrors?: unknown[];
  retractedMessageUuids?: unknown;
}

function systemItem(entry: SystemFacts): ConversationItem {
  const { subtype = "system", content } = entry;
  if (subtype === "api_error") return { kind: "notice", text: apiErrorText(entry), isError: true };
  if (subtype === "stop_hook_summary" && Array.isArray(entry.hookErrors) && entry.hookErrors.length > 0) {
    return {
      kind: "notice",
      text: `Stop hook failed: ${entry.hookErrors.map(String).join("; ")}`,
      isError: true,
    };
  }
  if (subtype === "model_refusal_fallback")
    return { kind: "notice", text: retractionText(entry), isError: false };
  if (typeof content !== "string" || content.trim() === "") return { kind: "context", name: subtype };
  if (subtype === "local_command") {
    const [item] = spokenItems([content], { images: 0, isQueued: false });
    if (item && item.kind !== "prompt") return item;
  }
  return { kind: "notice", text: subtype === "away_summary" ? `Recap: ${content}` : content, isError: false };
}

function retractionText({ content, retractedMessageUuids: uuids }: SystemFacts): string {
  const told = typeof content === "string" ? content.trim() : "";
  const count = Array.isArray(uuids) ? uuids.length : 0;
  return [told, `${plural(count, "entry", "entries")} taken back`].filter(Boolean).join(": ");
}

// Its shape differs between providers; the status is what most have.
function apiErrorText({ error, retryAttempt, maxRetries }: SystemFacts): string {
  const { status, message } = isJsonObject(error) ? error : {};
  const what = typeof status === "number" ? ` ${status}` : typeof message === "string" ? `: ${message}` : "";
  return `API error${what}${retryAttempt === undefined ? "" : `, try ${retryAttempt} of ${maxRetries ?? "?"}`}`;
}

function* attachmentItems(attachment: unknown): Generator<ConversationItem> {
  if (!isJsonObject(attachment)) return;
  const { type, prompt, filename, path, displayPath } = attachment;
  if (type === "queued_command") {
    yield* spokenItems(textsIn(prompt), {
      images: imagesIn(prompt),
      documents: documentsIn(prompt),
      isQueued: true,
    });
    return;
  }
  if (type === "hook_blocking_error") {
    yield { kind: "notice", text: blockText(attachment), isError: true };
    return;
  }
  const file = [displayPath, filename, path].find((name) => typeof name === "string");
  yield { kind: "context", name: file === undefined ? String(type) : `${String(type)} ${file}` };
}

// The reason is a text, or an object that holds it.
function blockText({ hookName, hookEvent, blockingError, content, stderr }: Record<string, unknown>): string {
  const inside = isJsonObject(blockingError) ? blockingError["blockingError"] : blockingError;
  const reason = firstText(inside, content, stderr)?.trim();
  const name = `Hook ${firstText(hookName, hookEvent) ?? ""}`.trim();
  return reason === undefined ? `${name} blocked this` : `${name} blocked this: ${reason}`;
}

function queued(entry: Entry): { images: number; isQueued: true; at?: string } {
  const { content, timestamp } = entry as { content?: unknown; timestamp?: unknown };
  return {
    images: imagesIn(content),
    isQueued: true,
    ...(typeof timestamp === "string" && { at: timestamp }),
  };
}
