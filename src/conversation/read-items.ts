import { resultLookaheadMax } from "./limits.ts";
import type { Entry } from "../format/entries/entry.ts";
import { uuidOf } from "../format/entry-kinds.ts";
import type { ConversationItem, ToolItem } from "./conversation-item.ts";
import { entryItems, type LooseCall } from "./entry-items.ts";
import type { LooseResult } from "./user-items.ts";

export interface ReadItemsOptions {
  lookaheadMax?: number;
  hasIds?: boolean;
  retracted?: ReadonlySet<string> | undefined;
}

/**
 * The items of a conversation in its order, each tool call with the result that came later. Holds items only
 * while a call before them waits, and no more than a limit: then the call is shown without its result. With a
 * limit of 0 nothing waits: a result that comes later stands for itself. With `hasIds` each says in which entry it stands.
 * What is in an entry of `retracted` was taken back.
 */
export async function* readItems(
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  { lookaheadMax = resultLookaheadMax, hasIds = false, retracted }: ReadItemsOptions = {},
): AsyncGenerator<ConversationItem> {
  const line = new WaitingLine(lookaheadMax);
  for await (const entry of entries) {
    const uuid = hasIds || retracted ? uuidOf(entry) : undefined;
    const facts = {
      ...(hasIds && uuid !== undefined && { uuid }),
      ...(uuid !== undefined && retracted?.has(uuid) && { isRetracted: true }),
    };
    for (const item of entryItems(entry)) {
      Object.assign(item.kind === "call" ? item.tool : item, facts);
      line.add(item);
    }
    yield* line.takeReady();
  }
  yield* line.takeAll();
}

class WaitingLine {
  #items: ConversationItem[] = [];
  readonly #open = new Map<string, ToolItem>();
  readonly #lookaheadMax: number;

  constructor(lookaheadMax: number) {
    this.#lookaheadMax = lookaheadMax;
  }

  add(item: ConversationItem | LooseCall | LooseResult): void {
    if (item.kind === "call") {
      this.#open.set(item.toolUseId, item.tool);
      this.#items.push(item.tool);
    } else if (item.kind === "result") this.#answer(item);
    else this.#items.push(item);
  }

  *takeReady(): Generator<ConversationItem> {
    const waiting = new Set<ConversationItem>(this.#open.values());
    let ready = this.#items.findIndex((item) => waiting.has(item));
    if (ready < 0) ready = this.#items.length;
    yield* this.#take(Math.max(ready, this.#items.length - this.#lookaheadMax));
  }

  takeAll(): Generator<ConversationItem> {
    return this.#take(this.#items.length);
  }

  *#take(count: number): Generator<ConversationItem> {
    if (count <= 0) return;
    const taken = new Set<ConversationItem>(this.#items.slice(0, count));
    this.#items = this.#items.slice(count);
    for (const [id, tool] of this.#open) if (taken.has(tool)) this.#open.delete(id);
    yield* taken;
  }

  // A result whose call is not part of what is shown stands for itself.
  #answer({ toolUseId, result, agent }: LooseResult): void {
    const tool = this.#open.get(toolUseId);
    if (!tool) {
      this.#items.push({ kind: "tool", detail: "", result });
      return;
    }
    this.#open.delete(toolUseId);
    tool.result = result;
    if (tool.agent) tool.agent = { ...tool.agent, ...agent };
  }
}
