import { excerpt, fullLine, shortLine, type BriefOptions } from "./item-lines.ts";
import type { RecoveredItem } from "./recovered-item.ts";

export interface BriefPart {
  /** The endings that it tells. */
  readonly told: RecoveredItem[];
  lines(): string[];
}

interface Entry {
  item: RecoveredItem;
  text: string;
  excerpt: string;
}

/** Shares the room of a brief out: a short line for each first, then all that is known, then what it printed. */
export class BriefRoom {
  #left: number;
  readonly #parts: { entries: Entry[]; full: (item: RecoveredItem) => string }[] = [];
  #isShort = false;

  constructor(length: number) {
    this.#left = length;
  }

  /** Whether something that is known of what is named had no room. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /** Undefined when there are no items. */
  part(
    title: string,
    items: readonly RecoveredItem[],
    { options, itemsMax, isNews = true }: { options: BriefOptions; itemsMax: number; isNews?: boolean },
  ): BriefPart | undefined {
    if (items.length === 0) return undefined;
    const lineOptions = { ...options, isNews };
    const entries: Entry[] = [];
    for (const item of items.slice(0, itemsMax)) {
      const text = shortLine(item, lineOptions);
      if (!this.#take(text.length + 1)) break;
      entries.push({ item, text, excerpt: "" });
    }
    this.#parts.push({ entries, full: (item) => fullLine(item, lineOptions) });
    const where = options.listedBy === undefined ? "" : `, listed by: ${options.listedBy}`;
    const left = items.length - entries.length;
    return {
      told: isNews ? entries.map(({ item }) => item) : [],
      lines: () => [
        `\n${title} (${items.length}):`,
        ...entries.map(({ text, excerpt: end }) => `${text}${end}`),
        ...(left > 0 ? [`- and ${left} more${where}`] : []),
      ],
    };
  }

  /** Gives the room that is left to what is named already, first things first. */
  fill(): void {
    for (const { entries, full } of this.#parts)
      for (const entry of entries) {
        const text = full(entry.item);
        const end = excerpt(entry.item);
        const hasFacts = this.#take(text.length - entry.text.length);
        const hasExcerpt = this.#take(end.length);
        if (hasFacts) entry.text = text;
        if (hasExcerpt) entry.excerpt = end;
        this.#isShort ||= !hasFacts || !hasExcerpt;
      }
  }

  #take(length: number): boolean {
    if (length > this.#left) return false;
    this.#left -= length;
    return true;
  }
}
