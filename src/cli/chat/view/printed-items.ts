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

/** What is said and done: printed once, above what changes, and from then on the terminal's. */
export function PrintedItems({ items, columns, style }: PrintedItemsProps): ReactElement {
  return h(Static<ConversationItem>, {
    items: items as ConversationItem[],
    style: { width: columns },
    children: (item, index) =>
      h(
        Text,
        { key: index, wrap: "hard" },
        // An empty first line keeps its height only with something in it.
        itemLines(item, items[index - 1], { columns, style })
          .join("\n")
          .replace(/^\n/, " \n"),
      ),
  });
}
