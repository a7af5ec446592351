/**
 * Questions about a parsed line, answered without zod, so that hot paths may ask them of every line.
 * They distrust the line: what a guard narrows to was checked as far as the chain and the message need it
 * (`uuid`, `parentUuid`, `timestamp`, `message.content`). Only `parseEntry` vouches for the other keys.
 */
import type { AssistantEntry } from "./entries/assistant.ts";
import type { ContentBlock, ToolResultBlock, ToolUseBlock } from "./entries/content-block.ts";
import type { Entry, KnownEntry, NodeEntry } from "./entries/entry.ts";
import type { CompactBoundaryEntry } from "./entries/system.ts";
import type { UserEntry } from "./entries/user.ts";
import { isJsonObject } from "./json-object.ts";

// Each of them once: the compiler sees that none is missing.
const knownTypes: Record<KnownEntry["type"], true> = {
  user: true,
  assistant: true,
  system: true,
  progress: true,
  attachment: true,
  "file-history-snapshot": true,
  "file-history-delta": true,
  "queue-operation": true,
  summary: true,
  "custom-title": true,
  "ai-title": true,
  "agent-name": true,
  tag: true,
  mode: true,
  "permission-mode": true,
  "last-prompt": true,
  "pr-link": true,
  "agent-setting": true,
  "worktree-state": true,
  relocated: true,
  "content-replacement": true,
  "bridge-session": true,
  "isolation-latch": true,
  "agent-color": true,
  "atis-latch": true,
  "cost-state": true,
  "frame-link": true,
  "history-suppression": true,
};

/** Whether the entry is of a type that this package knows. */
export function isKnownEntry(entry: Entry): entry is KnownEntry {
  return Object.hasOwn(knownTypes, entry.type);
}

/** The id of an entry that has one. */
export function uuidOf(entry: Entry): string | undefined {
  return "uuid" in entry && typeof entry.uuid === "string" ? entry.uuid : undefined;
}

/** Whether the entry takes part in the chain; also true of unknown types that have a uuid and a parent. */
export function isNode(entry: Entry): entry is NodeEntry {
  const { uuid, parentUuid, timestamp } = entry as Record<string, unknown>;
  if (typeof uuid !== "string" || uuid === "") return false;
  if (timestamp !== undefined && typeof timestamp !== "string") return false;
  if (typeof parentUuid === "string" || parentUuid === null) return true;
  return parentUuid === undefined && nodeTypes.has(entry.type);
}

/** Whether the entry is a prompt, a tool result, or what the client says in the user's place. */
export function isUser(entry: Entry): entry is UserEntry {
  return entry.type === "user" && isNode(entry) && hasContent(entry);
}

/** Whether the model said it. */
export function isAssistant(entry: Entry): entry is AssistantEntry {
  return entry.type === "assistant" && isNode(entry) && hasContent(entry);
}

/** Whether it is one of the two. */
export function isMessage(entry: Entry): entry is UserEntry | AssistantEntry {
  return isUser(entry) || isAssistant(entry);
}

/** The line at which the conversation was summarised. */
export function isCompactBoundary(entry: Entry): entry is CompactBoundaryEntry {
  return (
    entry.type === "system" && isNode(entry) && "subtype" in entry && entry.subtype === "compact_boundary"
  );
}

/** The line after a boundary, which stands for everything before it. */
export function isCompactSummary(entry: Entry): entry is UserEntry {
  return isUser(entry) && entry.isCompactSummary === true;
}

/** The content as blocks; a plain string is one text block. What is not a block is left out. */
export function blocksOf(entry: Entry): readonly ContentBlock[] {
  return isMessage(entry) ? blocksIn(entry.message.content) : [];
}

/** The tools that a message calls. */
export function toolUsesOf(entry: Entry): ToolUseBlock[] {
  return isAssistant(entry) ? blocksOf(entry).filter(isToolUse) : [];
}

/** The results of tools that a message holds. */
export function toolResultsOf(entry: Entry): ToolResultBlock[] {
  return isUser(entry) ? blocksOf(entry).filter(isToolResult) : [];
}

/**
 * The readable text of an entry: a message's text blocks, a system line's content, a queued prompt.
 * Neither thinking nor tool calls and results.
 */
export function textOf(entry: Entry): string {
  if (isMessage(entry)) return textsIn(entry.message.content).join("\n");
  const { type, content, attachment } = entry as Record<string, unknown>;
  if (type === "system" && typeof content === "string") return content;
  if (type !== "attachment" || !isJsonObject(attachment) || attachment["type"] !== "queued_command")
    return "";
  return textsIn(attachment["prompt"]).join("\n");
}

/**
 * Whether a person (or the program that speaks for one through the SDK) asked this: a user line that is no
 * tool result, nothing the client injected, no slash command, notification, teammate or compaction summary.
 */
export function isTypedPrompt(entry: Entry): entry is UserEntry {
  return typedTextOf(entry) !== undefined;
}

/** The text of a typed prompt: empty when it is only an image or a document, undefined when the entry is no typed prompt. */
export function typedTextOf(entry: Entry): string | undefined {
  if (!isUser(entry) || !isFromPerson(entry)) return undefined;
  const blocks = typeof entry.message.content === "string" ? [] : blocksIn(entry.message.content);
  if (blocks.some(isToolResult)) return undefined;
  const text = promptTextOf(entry);
  return text !== "" || blocks.some(({ type }) => type === "image" || type === "document") ? text : undefined;
}

/** The prompt without the blocks the client put beside it (an editor's open file, reminders). */
export function promptTextOf(entry: UserEntry): string {
  const { content } = entry.message;
  if (typeof content === "string") return textTyped(content);
  return blocksIn(content)
    .map(textOfBlock)
    .filter((text) => text !== undefined && !isInjectedText(text))
    .join("\n")
    .trim();
}

/** The same of a message that is all text. */
export function textTyped(content: string): string {
  return isInjectedText(content) ? "" : content.trim();
}

const nodeTypes: ReadonlySet<string> = new Set(["user", "assistant", "system", "progress", "attachment"]);

function hasContent(entry: NodeEntry): boolean {
  const { message } = entry as Record<string, unknown>;
  if (!isJsonObject(message)) return false;
  return typeof message["content"] === "string" || Array.isArray(message["content"]);
}

/** What the keys beside the message say about who spoke. Old versions say nothing, then the text decides. */
function isFromPerson(entry: UserEntry): boolean {
  if (entry.isSidechain === true || entry.isMeta === true) return false;
  if (entry.isCompactSummary === true || entry.isVisibleInTranscriptOnly === true) return false;
  if (entry.sourceToolUseID !== undefined || entry.toolUseResult !== undefined) return false;
  if (entry.promptSource === "system") return false;
  const speaker = entry.origin?.kind;
  if (speaker === undefined || speaker === "human") return true;
  return entry.promptSource === "typed" || entry.promptSource === "sdk";
}

/**
 * Whether the text of a user's line, without its content, may say that no person spoke: whether it has one of the keys above
 * (but for the first two, which are found without parsing), with a value that may. Asked before the line is parsed, to save
 * that where nothing is in doubt.
 */
export function mayTellSpeaker(beside: string): boolean {
  return speakerKeys.test(beside);
}

const speakerKeys =
  /\\|"(?:isCompactSummary|isVisibleInTranscriptOnly|sourceToolUseID|toolUseResult|promptSource"(?!:"(?:typed|sdk|queued)")|origin"(?!:\{"kind":"human"))/;

/** Beginnings of texts that stand in the user's place but were not typed as a prompt. */
const injectedText = new RegExp(
  `^\\s*(?:${[
    "<local-command-(?:caveat|stdout|stderr)>",
    "<command-(?:name|message|args)>",
    "<bash-(?:input|stdout|stderr)>",
    "<user-memory-input>",
    "<task-notification>",
    "<teammate-message[\\s>]",
    "Another Claude session sent a message:\\s*<(?:teammate|agent)-message[\\s>]",
    "<system-reminder>",
    "<ide_(?:opened_file|selection)>",
    "\\[Request interrupted by user",
    "This session is being continued from a previous conversation",
    "\\(no content\\)\\s*$",
    "$",
  ].join("|")})`,
);

// Most texts begin with another letter, and the first test of an expression takes a hundred times as long as this one.
const injectedBeginnings: ReadonlySet<string | undefined> = new Set(["<", "[", "T", "A", "(", undefined]);

function isInjectedText(text: string): boolean {
  return injectedBeginnings.has(text.trimStart()[0]) && injectedText.test(text);
}

/** Any content as blocks, whatever holds it: a message, a queued prompt, a tool's result. */
export function blocksIn(content: unknown): readonly ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isBlock) : [];
}

/** The texts among them. */
export function textsIn(content: unknown): string[] {
  return blocksIn(content).flatMap((block) => textOfBlock(block) ?? []);
}

function textOfBlock(block: ContentBlock): string | undefined {
  return block.type === "text" && "text" in block && typeof block.text === "string" ? block.text : undefined;
}

export function isBlock(value: unknown): value is ContentBlock {
  return isJsonObject(value) && typeof value["type"] === "string";
}

export function isToolUse(block: ContentBlock): block is ToolUseBlock {
  const { type, id, name } = block as Record<string, unknown>;
  return type === "tool_use" && typeof id === "string" && typeof name === "string";
}

export function isToolResult(block: ContentBlock): block is ToolResultBlock {
  const { type, tool_use_id: toolUseId } = block as Record<string, unknown>;
  return type === "tool_result" && typeof toolUseId === "string";
}
