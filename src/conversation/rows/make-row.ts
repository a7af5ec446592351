import { uuidOf } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/entries/entry.ts";
import { cutDepth } from "../../lib/json-text.ts";
import { beginningOf } from "../../lib/whole-characters.ts";
import type { ConversationItem, PromptItem } from "../conversation-item.ts";
import { entryItems, type LooseCall } from "../entry-items.ts";
import type { LooseResult } from "../user-items.ts";
import { entryImages } from "./entry-images.ts";
import { rowDetailLengthMax, rowResultLengthMax, rowTextLengthMax } from "./limits.ts";
import { longText, textOfItem } from "./long-text.ts";
import { addressOf, entryName, type RowAddress } from "./row-address.ts";
import type { Row, RowImage, RowItem, RowResult } from "./row.ts";
import { toolLines } from "./tool-lines.ts";

/** An entry of a conversation, and where it stands. */
export interface PlacedEntry {
  entry: Entry;
  /** Null for what is not in the transcript yet. */
  offset: number | null;
}

/** Finds what answers a call, wherever it stands in the conversation. */
export interface Answers {
  /** The entry with the result of a tool use of this entry. */
  find(toolUseId: string, call: PlacedEntry): PlacedEntry | undefined;
  /** Whether a result of this entry is shown at its call. */
  isShownElsewhere(toolUseId: string, at: PlacedEntry): boolean;
}

export interface RowContext {
  answers: Answers;
  address: RowAddress;
  retracted: ReadonlySet<string>;
}

/** What a page shows of one entry, with the results of its tools. */
export function makeRow(placed: PlacedEntry, row: number | null, context: RowContext): Row {
  const uuid = uuidOf(placed.entry);
  // Some entries are nested as deep as their writer liked; a page gets what JSON can hold.
  const entry = cutDepth(placed.entry);
  const maker = new ItemMaker({ entry, offset: placed.offset }, context);
  return { row, uuid: uuid ?? null, offset: placed.offset, items: maker.items() };
}

type Part = ConversationItem | LooseCall | LooseResult;

class ItemMaker {
  readonly #placed: PlacedEntry;
  readonly #context: RowContext;
  readonly #name: string;
  readonly #at: string | null;

  constructor(placed: PlacedEntry, context: RowContext) {
    this.#placed = placed;
    this.#context = context;
    const uuid = uuidOf(placed.entry);
    this.#name = entryName({ uuid, offset: placed.offset });
    this.#at = timeOf(placed.entry);
  }

  items(): RowItem[] {
    const { entry } = this.#placed;
    const isRetracted = this.#context.retracted.has(uuidOf(entry) ?? "");
    return [...entryItems(entry)].flatMap((part, index) => {
      const item = this.#itemOf(part, index);
      if (!item) return [];
      return isRetracted ? Object.assign(item, { isRetracted }) : item;
    });
  }

  #itemOf(part: Part, index: number): RowItem | undefined {
    switch (part.kind) {
      case "call":
        return this.#call(part);
      case "result":
        return this.#looseResult(part, index);
      case "prompt":
        return this.#prompt(part, index);
      case "answer":
      case "thinking":
      case "summary":
        return {
          kind: part.kind,
          said: longText(part.text, rowTextLengthMax, () => this.#textAt(index)),
          at: this.#at,
        };
      case "tool":
        // Only `readItems` joins calls and results; an entry has them apart.
        return undefined;
      default:
        return this.#other(part, index);
    }
  }

  #prompt({ text, isQueued, documents = [], images }: PromptItem, index: number): RowItem {
    const shown = images > 0 ? this.#images(undefined) : [];
    return {
      kind: "prompt",
      said: longText(text, rowTextLengthMax, () => this.#textAt(index)),
      isQueued,
      documents,
      at: this.#at,
      ...(shown.length > 0 && { images: shown }),
    };
  }

  #call({ toolUseId, tool }: LooseCall): RowItem {
    const answer = this.#context.answers.find(toolUseId, this.#placed);
    const result = answer && resultIn(answer, toolUseId, this.#context);
    const { name, detail, isPath, agent, at = null } = tool;
    return {
      kind: "tool",
      ...(name !== undefined && { name }),
      detail: beginningOf(detail, rowDetailLengthMax),
      ...(isPath && { isPath }),
      ...(agent && { agent: { ...agent, ...result?.agent } }),
      toolUseId,
      ...toolLines(tool, toolUseId),
      at,
      result: result?.shown ?? null,
    };
  }

  // A result whose call is not part of the conversation stands for itself.
  #looseResult({ toolUseId }: LooseResult, index: number): RowItem | undefined {
    if (this.#context.answers.isShownElsewhere(toolUseId, this.#placed)) return undefined;
    const result = resultIn(this.#placed, toolUseId, this.#context, index);
    if (!result) return undefined;
    return {
      kind: "tool",
      detail: "",
      toolUseId,
      lines: [],
      isCut: false,
      at: this.#at,
      result: result.shown,
    };
  }

  #other(item: Exclude<ConversationItem, { kind: NamedKind }>, index: number): RowItem {
    const text = textOfItem(item);
    if (text === undefined || text.length <= rowTextLengthMax) return item;
    const { url, bytes, text: shown } = longText(text, rowTextLengthMax, () => this.#textAt(index));
    const whole = { bytes, url: url! };
    if (item.kind === "notification")
      return { ...item, notification: { ...item.notification, result: shown }, whole };
    return { ...(item as Extract<ConversationItem, { text: string }>), text: shown, whole } as RowItem;
  }

  #textAt(part: number): string {
    return addressOf(this.#context.address, "text", { entry: this.#name, part });
  }

  #images(toolUseId: string | undefined): RowImage[] {
    return imagesOf(this.#placed, toolUseId, this.#context.address);
  }
}

type NamedKind = "tool" | "prompt" | "answer" | "thinking" | "summary";

interface ShownResult {
  shown: RowResult;
  agent: LooseResult["agent"];
}

function resultIn(
  placed: PlacedEntry,
  toolUseId: string,
  { address }: RowContext,
  only?: number,
): ShownResult | undefined {
  const items = [...entryItems(placed.entry)];
  const part = only ?? items.findIndex((item) => item.kind === "result" && item.toolUseId === toolUseId);
  const found = items[part];
  if (found?.kind !== "result") return undefined;
  const { result, agent } = found;
  const entry = entryName({ uuid: uuidOf(placed.entry), offset: placed.offset });
  const said = longText(result.text, rowResultLengthMax, () => addressOf(address, "text", { entry, part }));
  const shown: RowResult = {
    said,
    isError: result.isError,
    images: result.images > 0 ? imagesOf(placed, toolUseId, address) : [],
    at: timeOf(placed.entry),
    backgroundTaskId: result.backgroundTaskId ?? null,
  };
  return { shown, agent };
}

function imagesOf(
  { entry, offset }: PlacedEntry,
  toolUseId: string | undefined,
  address: RowAddress,
): RowImage[] {
  const name = entryName({ uuid: uuidOf(entry), offset });
  return entryImages(entry).flatMap((image, part) =>
    image.toolUseId === toolUseId
      ? { url: addressOf(address, "image", { entry: name, part }), mediaType: image.mediaType }
      : [],
  );
}

function timeOf(entry: Entry): string | null {
  const { timestamp } = entry as { timestamp?: unknown };
  return typeof timestamp === "string" ? timestamp : null;
}
