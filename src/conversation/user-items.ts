import { blocksIn, textsIn, toolResultsOf } from "../format/entry-kinds.ts";
import type { ToolResultBlock } from "../format/entries/content-block.ts";
import type { UserEntry } from "../format/entries/user.ts";
import { isJsonObject } from "../format/json-object.ts";
import { parseTaskNotification } from "../format/task-notification.ts";
import { parseToolUseResult, type ToolUseResult } from "../format/tool-use-result.ts";
import type { ConversationItem, ToolAgent, ToolResult } from "./conversation-item.ts";

/** A tool result that is yet to be put beside its call. */
export interface LooseResult {
  kind: "result";
  toolUseId: string;
  result: ToolResult;
  agent: Partial<ToolAgent>;
}

/** What a user line holds: a prompt, tool results, or one of the many things written in the user's place. */
export function* userItems(entry: UserEntry): Generator<ConversationItem | LooseResult> {
  const results = toolResultsOf(entry);
  for (const block of results) yield looseResult(block, entry.toolUseResult);
  const { content } = entry.message;
  const texts = textsIn(content);
  const images = imagesIn(content);
  const at = entry.timestamp;
  if (entry.isCompactSummary === true) yield { kind: "summary", text: texts.join("\n") };
  else if (entry.isMeta === true) yield { kind: "context", name: "note" };
  else yield* spokenItems(texts, { images, isQueued: false, at });
}

export function imagesIn(content: unknown): number {
  return blocksIn(content).filter(({ type }) => type === "image").length;
}

export interface SpokenFacts {
  images: number;
  isQueued: boolean;
  at?: string | undefined;
}

/** Texts in the user's place, one after the other; those that nobody typed are named for what they are. */
export function* spokenItems(texts: readonly string[], facts: SpokenFacts): Generator<ConversationItem> {
  const prompt: string[] = [];
  for (const text of texts) {
    const item = markedItem(text, facts.at);
    if (item === undefined) prompt.push(text);
    else yield item;
  }
  const text = prompt.join("\n").trim();
  if (text !== "" || facts.images > 0) yield { kind: "prompt", text, ...facts };
}

// The client marks what nobody typed with tags of its own.
function markedItem(text: string, at: string | undefined): ConversationItem | undefined {
  const notification = parseTaskNotification(text);
  if (notification) return { kind: "notification", notification, at };
  const tag = /^\s*<([a-z][a-z_-]*)[\s>]/.exec(text)?.[1];
  switch (tag) {
    case "command-name":
    case "command-message":
    case "command-args":
      return {
        kind: "command",
        text: [inTag(text, "command-name") ?? inTag(text, "command-message"), inTag(text, "command-args")]
          .filter(Boolean)
          .join(" "),
      };
    case "bash-input":
      return { kind: "command", text: `! ${inTag(text, "bash-input") ?? ""}` };
    case "bash-stdout":
    case "bash-stderr":
      return {
        kind: "command-output",
        text: [inTag(text, "bash-stdout"), inTag(text, "bash-stderr")].filter(Boolean).join("\n"),
      };
    case "local-command-stdout":
    case "local-command-stderr":
      return { kind: "command-output", text: inTag(text, tag) ?? "" };
    case "teammate-message":
      return {
        kind: "peer",
        name: /teammate_id="([^"]*)"/.exec(text)?.[1] ?? "teammate",
        text: inTag(text, tag) ?? text,
      };
    case "local-command-caveat":
    case "system-reminder":
    case "ide_opened_file":
    case "ide_selection":
    case "user-memory-input":
      return { kind: "context", name: tag };
    default:
      return text.startsWith("[Request interrupted by user")
        ? { kind: "notice", text: "Interrupted by the user", isError: false }
        : undefined;
  }
}

function inTag(text: string, tag: string): string | undefined {
  const open = new RegExp(`<${tag}(?:\\s[^>]*)?>`).exec(text);
  if (!open) return undefined;
  const start = open.index + open[0].length;
  const end = text.lastIndexOf(`</${tag}>`);
  return text.slice(start, end < start ? undefined : end).trim();
}

function looseResult(block: ToolResultBlock, toolUseResult: unknown): LooseResult {
  const text = textsIn(block.content).join("\n");
  const told = parseToolUseResult(toolUseResult);
  const backgroundTaskId = backgroundTaskOf(told);
  const result: ToolResult = {
    text,
    bytes: Buffer.byteLength(text),
    images: imagesIn(block.content),
    isError: block.is_error === true,
    ...(backgroundTaskId !== undefined && { backgroundTaskId }),
  };
  return { kind: "result", toolUseId: block.tool_use_id, result, agent: agentOf(toolUseResult) };
}

function backgroundTaskOf(told: ToolUseResult): string | undefined {
  if (told.kind === "bash") return told.result.backgroundTaskId;
  return told.kind === "agent-launched" ? told.result.agentId : undefined;
}

// Read key by key: versions differ in which of them they write.
function agentOf(toolUseResult: unknown): Partial<ToolAgent> {
  if (!isJsonObject(toolUseResult)) return {};
  const { agentId, agentType, totalTokens, totalDurationMs } = toolUseResult;
  return {
    ...(typeof agentId === "string" && { id: agentId }),
    ...(typeof agentType === "string" && { type: agentType }),
    ...(typeof totalTokens === "number" && { tokens: totalTokens }),
    ...(typeof totalDurationMs === "number" && { durationMs: totalDurationMs }),
  };
}
