import { blocksIn, textsIn, toolResultsOf } from "../format/entry-kinds.ts";
import type { ToolResultBlock } from "../format/entries/content-block.ts";
import type { UserEntry } from "../format/entries/user.ts";
import { isJsonObject } from "../format/json-object.ts";
import { slashCommandIn, textInTag } from "../format/tagged-text.ts";
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
  const documents = documentsIn(content);
  const at = entry.timestamp;
  const peer = peerItem(entry);
  if (entry.isCompactSummary === true) yield* summaryItems(entry, texts.join("\n"));
  else if (peer) yield peer;
  else if (entry.isMeta === true) yield* (documents.length > 0 ? documents : ["note"]).map(contextItem);
  else yield* spokenItems(texts, { images, documents, isQueued: false, at });
}

// Before clients wrote boundaries (until 1.0.108), the summary itself is where the conversation was compacted.
function* summaryItems({ parentUuid, timestamp }: UserEntry, text: string): Generator<ConversationItem> {
  if (typeof parentUuid !== "string") yield { kind: "compaction", at: timestamp };
  yield { kind: "summary", text };
}

/** The first of some values that is a text, and not empty. */
export function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

function contextItem(name: string): ConversationItem {
  return { kind: "context", name };
}

/** The names of the documents in a message, or what sort they are. */
export function documentsIn(content: unknown): string[] {
  return blocksIn(content).flatMap((block) => {
    if (block.type !== "document") return [];
    const { title, source } = block as { title?: unknown; source?: unknown };
    const { media_type: sort, url } = isJsonObject(source) ? source : {};
    return `document ${firstText(title, url, sort) ?? ""}`.trim();
  });
}

export function imagesIn(content: unknown): number {
  return blocksIn(content).filter(({ type }) => type === "image").length;
}

export interface SpokenFacts {
  images: number;
  documents?: readonly string[];
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
  const { documents = [], ...rest } = facts;
  if (text === "" && facts.images === 0 && documents.length === 0) return;
  yield { kind: "prompt", text, ...rest, ...(documents.length > 0 && { documents }) };
}

// The client marks what nobody typed with tags of its own.
function markedItem(text: string, at: string | undefined): ConversationItem | undefined {
  const notification = parseTaskNotification(text);
  if (notification) return { kind: "notification", notification, at };
  const sent = /^Another Claude session sent a message:\s*(?=<(?:teammate|agent)-message[\s>])/.exec(text);
  if (sent) return peerIn(text.slice(sent[0].length));
  const tag = /^\s*<([a-z][a-z_-]*)[\s>]/.exec(text)?.[1];
  switch (tag) {
    case "command-name":
    case "command-message":
    case "command-args":
      return { kind: "command", text: slashCommandIn(text) ?? "" };
    case "bash-input":
      return { kind: "command", text: `! ${textInTag(text, "bash-input") ?? ""}` };
    case "bash-stdout":
    case "bash-stderr":
      return {
        kind: "command-output",
        text: [textInTag(text, "bash-stdout"), textInTag(text, "bash-stderr")].filter(Boolean).join("\n"),
      };
    case "local-command-stdout":
    case "local-command-stderr":
      return { kind: "command-output", text: textInTag(text, tag) ?? "" };
    case "teammate-message":
      return peerIn(text);
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

function peerIn(text: string): ConversationItem {
  const name = /(?:teammate_id|from|name)="([^"]*)"/.exec(text)?.[1] ?? "teammate";
  const said = ["teammate-message", "agent-message"].map((tag) => textInTag(text, tag));
  return { kind: "peer", name, text: said.find((each) => each !== undefined) ?? text };
}

// What another agent said, though it stands in the user's place: its name and words are beside the text.
function peerItem({ origin, message }: UserEntry): ConversationItem | undefined {
  if (origin?.kind !== "peer") return undefined;
  const text = textsIn(message.content).join("\n");
  const told = markedItem(text, undefined);
  const peer = told?.kind === "peer" ? told : undefined;
  const name = firstText(origin.name, origin.from, peer?.name);
  return {
    kind: "peer",
    name: name ?? "teammate",
    text: typeof origin.body === "string" ? origin.body.trim() : (peer?.text ?? text),
  };
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
