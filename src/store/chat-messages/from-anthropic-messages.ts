import type { AssistantEntry, ContentBlock, EntryEnvelope, UserEntry } from "../../format/index.ts";
import { blocksIn, isToolUse } from "../../format/entry-kinds.ts";
import type { Clock } from "../../lib/clock.ts";
import type { AnthropicMessageInput } from "./anthropic-message.ts";

/** What a transcript knows beside the messages. */
export interface EntryContext {
  sessionId: string;
  cwd: string;
  /** Of the program that writes, as the client's `version` key. */
  version: string;
  gitBranch?: string;
  /** For a sub-agent's transcript. */
  agentId?: string;
  /** The entry that the first message follows; none at the beginning of a transcript. */
  parentUuid?: string | null;
  /** For assistant messages that do not name their own. */
  model?: string;
  clock: Clock;
  newUuid: () => string;
}

/**
 * Entries that tell these messages, chained one to the next: an assistant message is one line a block, all
 * with the same message id, and a tool result is a line of its own, as the client writes them. A system
 * message becomes injected text, because a transcript has no other place for it.
 */
export function fromAnthropicMessages(
  messages: Iterable<AnthropicMessageInput>,
  context: EntryContext,
): (UserEntry | AssistantEntry)[] {
  const chain = new EntryChain(context);
  for (const message of messages) {
    if (message.role === "assistant") addAssistant(chain, message, context);
    else if (message.role === "user") addUser(chain, message.content);
    else addInjected(chain, message.content);
  }
  return chain.entries;
}

class EntryChain {
  readonly entries: (UserEntry | AssistantEntry)[] = [];
  /** By tool use, the entry that asked. */
  readonly askedBy = new Map<string, string>();
  readonly #context: EntryContext;
  #leaf: string | null;

  constructor(context: EntryContext) {
    this.#context = context;
    this.#leaf = context.parentUuid ?? null;
  }

  add(entry: Omit<UserEntry, "uuid"> | Omit<AssistantEntry, "uuid">): void {
    const { sessionId, cwd, version, gitBranch = "", agentId, clock, newUuid } = this.#context;
    const uuid = newUuid();
    const before: Partial<EntryEnvelope> = {
      parentUuid: this.#leaf,
      isSidechain: agentId !== undefined,
      ...(agentId !== undefined && { agentId }),
    };
    const behind: EntryEnvelope = {
      uuid,
      timestamp: clock.now().toISOString(),
      userType: "external",
      cwd,
      sessionId,
      version,
      gitBranch,
    };
    this.entries.push({ ...before, ...entry, ...behind });
    this.#leaf = uuid;
  }

  get leaf(): string | null {
    return this.#leaf;
  }
}

function addAssistant(chain: EntryChain, message: AnthropicMessageInput, context: EntryContext): void {
  const blocks = blocksOf(message.content);
  const model = message.model ?? context.model;
  const id = message.id ?? `msg_${context.newUuid().replaceAll("-", "")}`;
  for (const [index, block] of blocks.entries()) {
    const isLast = index === blocks.length - 1;
    const line = {
      ...(model !== undefined && { model }),
      id,
      type: "message",
      role: "assistant",
      content: [block],
      stop_reason: isLast ? (message.stop_reason ?? null) : null,
      stop_sequence: isLast ? (message.stop_sequence ?? null) : null,
      ...(message.usage !== undefined && { usage: message.usage }),
    };
    chain.add({ type: "assistant", message: line });
    if (isToolUse(block)) chain.askedBy.set(block.id, chain.leaf!);
  }
}

function addUser(chain: EntryChain, content: AnthropicMessageInput["content"]): void {
  if (typeof content === "string") {
    chain.add({ type: "user", message: { role: "user", content } });
    return;
  }
  let said: ContentBlock[] = [];
  const flush = (): void => {
    if (said.length > 0) chain.add({ type: "user", message: { role: "user", content: said } });
    said = [];
  };
  for (const block of blocksOf(content)) {
    if (block.type !== "tool_result") {
      said.push(block);
      continue;
    }
    flush();
    const askedBy = chain.askedBy.get(block.tool_use_id);
    chain.add({
      type: "user",
      message: { role: "user", content: [block] },
      ...(askedBy !== undefined && { sourceToolAssistantUUID: askedBy }),
    });
  }
  flush();
}

function addInjected(chain: EntryChain, content: AnthropicMessageInput["content"]): void {
  const texts = blocksOf(content).flatMap((block) => (block.type === "text" ? [block.text] : []));
  if (texts.length === 0) return;
  const text = `<system-reminder>\n${texts.join("\n")}\n</system-reminder>`;
  chain.add({ type: "user", message: { role: "user", content: text }, isMeta: true });
}

function blocksOf(content: AnthropicMessageInput["content"]): readonly ContentBlock[] {
  return content === "" ? [] : blocksIn(content);
}
