import { Flag, type LineTable } from "../line/line-table.ts";
import { needsEarlierLines } from "./walk-conversation.ts";

/**
 * The leaf that a resume would take: the last message of the main chain, or what hangs behind it (a turn's
 * closing system line, a queued prompt). Sub-agent files consist of sidechain lines only, and are walked as such.
 * A compaction boundary without its summary is no leaf: the compaction was cut off, and nothing took its place.
 */
export function findDefaultLeaf(table: LineTable): number | typeof needsEarlierLines | undefined {
  const main = findLeaf(table, (line) => !table.has(line, Flag.sidechain));
  if (main !== undefined) return main;
  return table.from > 0 ? needsEarlierLines : findLeaf(table, () => true);
}

function findLeaf(table: LineTable, isOnChain: (line: number) => boolean): number | undefined {
  let last: number | undefined;
  for (let line = table.count - 1; line >= 0; line--) {
    if (!isOnChain(line) || table.uuid[line] === 0 || table.has(line, Flag.compactBoundary)) continue;
    const kind = table.kindOf(line);
    if (kind === "system" || kind === "attachment") last ??= line;
    if (kind !== "user" && kind !== "assistant") continue;
    return last !== undefined && descendsFrom(table, last, line) ? last : line;
  }
  return table.from > 0 ? undefined : last;
}

function descendsFrom(table: LineTable, line: number, ancestor: number): boolean {
  const seen = new Set<number>();
  let at: number | undefined = line;
  while (at !== undefined && !seen.has(at) && at !== ancestor) {
    seen.add(at);
    at = table.parentFor(at);
  }
  return at === ancestor;
}
