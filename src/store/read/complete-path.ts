import { Flag, type LineTable } from "../line/line-table.ts";

/**
 * A path from root to leaf with the lines that belong to it put where they were said: the rest of split messages, and the
 * results of tools. `isWhole` says that the path ends where the conversation begins, not where enough was known.
 */
export function completePath(table: LineTable, path: number[], { isWhole }: { isWhole: boolean }): number[] {
  const position = new Map<number, number>(path.map((line, index) => [line, index]));
  const isTaken = takenLines(table, position);
  const additions = [...siblingLines(table, path, { isTaken, isWhole })];
  for (const [line, at] of additions) position.set(line, at);
  additions.push(...resultLines(table, position, isTaken));
  if (additions.length === 0) return path;
  additions.sort(([a], [b]) => a - b);
  const inserts = Map.groupBy(additions, ([line, anchor]) => placeBehind(table, path, { anchor, line }));
  const linesAt = (place: number): number[] => (inserts.get(place) ?? []).map(([line]) => line);
  return [...linesAt(-1), ...path.flatMap((line, index) => [line, ...linesAt(index)])];
}

type IsTaken = (line: number) => boolean;

// Of a line that was written twice, the one on the path counts, else the last one.
function takenLines(table: LineTable, position: ReadonlyMap<number, number>): IsTaken {
  return (line) => {
    if (position.has(line)) return true;
    const copies = table.copiesOf(line);
    return copies.length > 0 && (copies.at(-1) !== line || copies.some((copy) => position.has(copy)));
  };
}

// Assistant lines off the path that share a message id with one on it, each with the path position it follows.
// One before all of them is only taken when the walk is whole: else it stands further up, where nobody looked.
function* siblingLines(
  table: LineTable,
  path: number[],
  { isTaken, isWhole }: { isTaken: IsTaken; isWhole: boolean },
): Generator<[number, number]> {
  const assistants = [...path.keys()].filter((index) => table.kindOf(path[index]!) === "assistant");
  const messagePositions = Map.groupBy(assistants, (index) => table.message[path[index]!]!);
  messagePositions.delete(0);
  for (let line = 0; line < table.count; line++) {
    const at = messagePositions.get(table.message[line]!);
    if (at === undefined || table.kindOf(line) !== "assistant" || isTaken(line)) continue;
    const before = at.findLast((index) => path[index]! < line);
    if (before !== undefined || isWhole) yield [line, before ?? at[0]! - 1];
  }
}

// Results off the path whose tool use is on it, each with the path position of the use.
function* resultLines(
  table: LineTable,
  position: Map<number, number>,
  isTaken: IsTaken,
): Generator<[number, number]> {
  const usePositions = new Map<number, number>();
  for (let tool = 0; tool < table.toolCount; tool++) {
    const at = position.get(table.toolLine[tool]!);
    if (table.toolIsResult[tool] === 0 && at !== undefined) usePositions.set(table.toolId[tool]!, at);
  }
  const yielded = new Set<number>();
  for (let tool = 0; tool < table.toolCount; tool++) {
    const line = table.toolLine[tool]!;
    const at = usePositions.get(table.toolId[tool]!);
    if (table.toolIsResult[tool] === 0 || at === undefined || yielded.has(line) || isTaken(line)) continue;
    // The client notes requests, too (`api-request-blob`): what they repeat is not said again.
    if (table.kindOf(line) === "other") continue;
    yielded.add(line);
    yield [line, at];
  }
}

// Behind the anchor and whatever of the same exchange was written before the line: never past the next
// message of the assistant or the next prompt.
function placeBehind(
  table: LineTable,
  path: number[],
  { anchor, line }: { anchor: number; line: number },
): number {
  const message = anchor < 0 ? 0 : table.message[path[anchor]!]!;
  let at = anchor;
  while (at + 1 < path.length) {
    const next = path[at + 1]!;
    const startsExchange =
      table.kindOf(next) === "assistant" ? table.message[next] !== message : !belongsToExchange(table, next);
    if (next > line || startsExchange) break;
    at++;
  }
  return at;
}

/** Whether a line is part of what the assistant does between two prompts: neither a prompt nor a compaction. */
export function belongsToExchange(table: LineTable, line: number): boolean {
  if (table.has(line, Flag.compactBoundary)) return false;
  const kind = table.kindOf(line);
  if (kind !== "user") return kind === "progress" || kind === "attachment" || kind === "system";
  return table.answersTool(line);
}
