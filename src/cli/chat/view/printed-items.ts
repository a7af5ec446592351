import { Static, Text } from "ink";
import { createElement as h, type ReactElement } from "react";
import type { ConversationItem } from "../../conversation/conversation-item.ts";
import type { Style } from "../../render/style.ts";
import { itemLines } from "./item-lines.ts";

export interface PrintedItemsProps {
  items: readonly ConversationItem[];
  columns: number;
  style: Style;
}

/** The first of the items at the end that a window of so many rows holds. */
export function firstThatFits({ items, columns, style, rows }: PrintedItemsProps & { rows: number }): number {
  let from = items.length;
  for (let used = 0; from > 0; from--) {
    used += itemLines(items[from - 1]!, items[from - 2], { columns, style }).length;
    if (used > rows) break;
  }
  return from;
}

/** What is said and done: printed once, above what changes, and from then on the terminal's. */
export function PrintedItems({
  items,
  from = 0,
  columns,
  style,
}: PrintedItemsProps & { from?: number }): ReactElement {
  return h(Static<ConversationItem>, {
    items: items.slice(from),
    style: { width: columns },
    children: (item, index) =>
      h(
        Text,
        { key: index, wrap: "hard" },
        // An empty first line keeps its height only with something in it.
        itemLines(item, items[from + index - 1], { columns, style })
          .join("\n")
          .replace(/^\n/, " \n"),
      ),
  });
}
