import { Flag, type LineTable } from "../../store/line/line-table.ts";
import type { ConversationWalk } from "../../store/read/walk-conversation.ts";
import type { LinkDefect } from "./transcript-defect.ts";

/**
 * Places where the conversation's parents cannot be followed though it goes on before them. A boundary whose logical
 * parent was never written is none (a third of real ones are so), nor is a first line whose parent is in another file.
 */
export function findBrokenLinks(table: LineTable, { gaps }: ConversationWalk): LinkDefect[] {
  const placeOf = (line: number): { offset: number; length: number } => ({
    offset: table.offset[line]!,
    length: table.length[line]!,
  });
  return gaps
    .filter(({ line, reason, bridgedTo }) => {
      if (table.has(line, Flag.compactBoundary)) return false;
      return reason === "cycle" || bridgedTo !== undefined;
    })
    .map(({ line, reason, bridgedTo }) => ({
      kind: reason === "cycle" ? "parent-cycle" : "missing-parent",
      offset: table.offset[line]!,
      length: table.length[line]!,
      bridgeTo: bridgedTo === undefined ? undefined : placeOf(bridgedTo),
    }));
}
