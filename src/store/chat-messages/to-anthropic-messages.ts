import { blocksIn, blocksOf, isAssistant, isToolResult, isUser, uuidOf } from "../../format/entry-kinds.ts";
import type { ContentBlock, Entry } from "../../format/index.ts";
import { isJsonObject } from "../../format/json-object.ts";
import type {
  AnthropicAssistantBlock,
  AnthropicMessage,
  AnthropicToolResult,
  AnthropicUserBlock,
} from "./anthropic-message.ts";
import { apiAssistantBlock, apiToolId, apiToolResult, apiUserBlock } from "./api-blocks.ts";

/**
 * A conversation as messages that the Messages API accepts, whatever the transcript went through. `entries` are
 * those of a conversation, in its order (`Conversation.entries()`).
 *
 * Roles alternate, beginning with the user. Every tool use is answered in the next message, with an error where
 * it was interrupted; results without a use, and second results, are left out. Failed API calls that the client
 * noted as messages, and context that it injects anew into each request, are not part of the conversation.
 */
export function toAnthropicMessages(entries: Iterable<Entry>): AnthropicMessage[] {
  const conversation = new GrowingMessages();
  conversation.add(entries);
  return [...conversation.messages];
}

/** The same for a conversation that goes on: each piece of it is converted once. */
export class GrowingMessages {
  readonly #messages: AnthropicMessage[] = [];
  readonly #usesSeen = new Set<string>();

  get messages(): readonly AnthropicMessage[] {
    return this.#messages;
  }

  /** Adds the next entries. All lines of a message, and the results of its tools, must be in the same piece. */
  add(entries: Iterable<Entry>): void {
    const messages = this.#messages;
    const turns = collectTurns(entries);
    const results = firstResults(turns);
    // The piece may go on with the last message, which somebody may have been given: theirs stays as it was.
    const last = messages.pop();
    if (last) messages.push({ ...last, content: [...last.content] } as AnthropicMessage);
    for (const { role, blocks } of turns) {
      if (role === "user") {
        addUserBlocks(
          messages,
          blocks.map(apiUserBlock).filter((block) => block !== undefined),
        );
        continue;
      }
      const accepted = blocks.map(apiAssistantBlock).filter((block) => block !== undefined);
      const content = withoutLastThinking(accepted.filter((block) => !isRepeatedUse(block, this.#usesSeen)));
      if (content.length === 0) continue;
      const before = messages.at(-1);
      if (before?.role === "assistant") before.content.push(...content);
      else messages.push({ role: "assistant", content });
      const uses = content.filter((block) => block.type === "tool_use");
      addUserBlocks(
        messages,
        uses.map(({ id }) => results.get(id) ?? interrupted(id)),
      );
    }
    if (messages[0]?.role === "assistant") messages.unshift({ role: "user", content: [MISSING_BEGINNING] });
  }
}

const MISSING_BEGINNING: AnthropicUserBlock = {
  type: "text",
  text: "(The beginning of this conversation is not in its transcript.)",
};

interface Turn {
  role: "user" | "assistant";
  blocks: ContentBlock[];
}

/** One turn an API message, at the place of its first line, and one a user line; repeated lines count once. */
function collectTurns(entries: Iterable<Entry>): Turn[] {
  const turns: Turn[] = [];
  const byMessageId = new Map<string, Turn>();
  const uuids = new Set<unknown>();
  for (const entry of entries) {
    const uuid = uuidOf(entry);
    if (uuid !== undefined && uuids.has(uuid)) continue;
    uuids.add(uuid);
    if (!isAssistant(entry)) {
      const blocks = userBlocksOf(entry);
      if (blocks.length > 0) turns.push({ role: "user", blocks: [...blocks] });
      continue;
    }
    if (entry.isApiErrorMessage === true) continue;
    const { id } = entry.message;
    const begun = id === undefined ? undefined : byMessageId.get(id);
    if (begun) begun.blocks.push(...blocksOf(entry));
    else {
      const turn: Turn = { role: "assistant", blocks: [...blocksOf(entry)] };
      turns.push(turn);
      if (id !== undefined) byMessageId.set(id, turn);
    }
  }
  return turns;
}

/** What stands in the user's place: prompts and results, queued prompts and notices, commands and their output. */
function userBlocksOf(entry: Entry): readonly ContentBlock[] {
  if (isUser(entry)) return blocksOf(entry);
  const { type, subtype, operation, content, attachment } = entry as Record<string, unknown>;
  if (type === "queue-operation" && operation === "enqueue") return blocksIn(content);
  if (type === "system" && subtype === "local_command") return blocksIn(content);
  if (type === "attachment" && isJsonObject(attachment) && attachment["type"] === "queued_command") {
    return blocksIn(attachment["prompt"]);
  }
  return [];
}

function firstResults(turns: readonly Turn[]): Map<string, AnthropicToolResult> {
  const results = new Map<string, AnthropicToolResult>();
  for (const { role, blocks } of turns) {
    for (const block of role === "user" ? blocks.filter(isToolResult) : []) {
      const id = apiToolId(block.tool_use_id);
      if (!results.has(id)) results.set(id, apiToolResult(block));
    }
  }
  return results;
}

/** The API refuses a message that ends in thinking; one does when it was cut off before it said anything. */
function withoutLastThinking<Block extends { type: string }>(blocks: readonly Block[]): Block[] {
  const last = blocks.findLastIndex(({ type }) => type !== "thinking" && type !== "redacted_thinking");
  return blocks.slice(0, last + 1);
}

function isRepeatedUse(block: AnthropicAssistantBlock, seen: Set<string>): boolean {
  if (block.type !== "tool_use") return false;
  const isRepeated = seen.has(block.id);
  seen.add(block.id);
  return isRepeated;
}

function addUserBlocks(messages: AnthropicMessage[], blocks: AnthropicUserBlock[]): void {
  const last = messages.at(-1);
  if (blocks.length === 0) return;
  if (last?.role === "user") last.content.push(...blocks);
  else messages.push({ role: "user", content: blocks });
}

function interrupted(id: string): AnthropicToolResult {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: "Interrupted: the tool was called, but no result of it was recorded",
    is_error: true,
  };
}
