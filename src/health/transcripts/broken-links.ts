import type { LineTable } from "../../store/line/line-table.ts";
import { brokenGaps, type ConversationWalk } from "../../store/read/walk-conversation.ts";
import type { LinkDefect } from "./transcript-defect.ts";

/** Places where the conversation's parents cannot be followed though it goes on before them. */
export function findBrokenLinks(table: LineTable, walk: ConversationWalk): LinkDefect[] {
  const placeOf = (line: number): { offset: number; length: number } => ({
    offset: table.offset[line]!,
    length: table.length[line]!,
  });
  return brokenGaps(table, walk).map(({ line, reason, bridgedTo }) => ({
    kind: reason === "cycle" ? "parent-cycle" : "missing-parent",
    offset: table.offset[line]!,
    length: table.length[line]!,
    bridgeTo: bridgedTo === undefined ? undefined : placeOf(bridgedTo),
  }));
}
