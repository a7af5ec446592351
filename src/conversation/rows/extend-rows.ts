import { Flag, type LineTable } from "../../store/line/line-table.ts";
import type { FoundConversation } from "../../store/read/find-conversation.ts";
import { brokenGaps } from "../../store/read/walk-conversation.ts";
import type { RowPlaces } from "./row-places.ts";

/** A conversation and its rows, as far as a table went. */
export interface ExtendedRows {
  found: FoundConversation;
  places: RowPlaces;
}

/**
 * The rows when all that was appended goes straight on: each line hangs on the one before it, or answers a tool that still
 * waits. Undefined when anything else was appended, so that the conversation has to be found anew: to walk all of a long one
 * takes as long as a person notices. `from` is the first line that is new.
 */
export function extendRows({ found, places }: ExtendedRows, from: number): ExtendedRows | undefined {
  const { table, walk, removals } = found;
  const leaf = walk.path.at(-1);
  // What comes may close a gap, or say what until now was only queued.
  if (leaf === undefined || brokenGaps(table, walk).length > 0 || removals.length > 0) return undefined;
  if (!isLastMessage(table, leaf, from)) return undefined;
  const added = addedLines(table, { places, path: walk.path, from });
  if (added === undefined) return undefined;
  const { lines, rows, path } = added;
  const rowOf = new Int32Array(table.count).fill(-1);
  rowOf.set(places.rowOf.subarray(0, from));
  let row = places.lines.length;
  for (const line of rows) rowOf[line] = row++;
  for (const [line, call] of added.answers) rowOf[line] = rowOf[call]!;
  const rowLines = new Uint32Array(row);
  rowLines.set(places.lines);
  rowLines.set(rows, places.lines.length);
  return {
    found: { ...found, walk: { ...walk, lines: walk.lines.concat(lines), path } },
    places: { ...places, lines: rowLines, rowOf },
  };
}

interface AddedLines {
  /** Of the conversation. */
  lines: number[];
  /** Those that are rows of their own. */
  rows: number[];
  /** Those that only answer, each with the line of its call. */
  answers: [number, number][];
  /** From the root to the newest line. */
  path: number[];
}

const UNUSUAL =
  Flag.compactBoundary |
  Flag.compactSummary |
  Flag.preserved |
  Flag.logicalParent |
  Flag.apiError |
  Flag.retraction;

function addedLines(
  table: LineTable,
  { places, path, from }: { places: RowPlaces; path: readonly number[]; from: number },
): AddedLines | undefined {
  const added: AddedLines = { lines: [], rows: [], answers: [], path: [...path] };
  const isSide = table.has(path.at(-1)!, Flag.sidechain);
  const calls = new Map<number, number>();
  const answered: [number, number][] = [];
  let tool = firstToolOf(table, from);
  for (let line = from; line < table.count; line++) {
    const kind = table.kindOf(line);
    // Neither a message nor between two of them: titles, snapshots, what is no entry.
    if (kind === "rejected" || (kind === "other" && table.uuid[line] === 0)) continue;
    const isPlain = kind === "user" || kind === "assistant" || kind === "system" || kind === "attachment";
    if (!isPlain || table.uuid[line] === 0 || (table.flags[line]! & UNUSUAL) !== 0) return undefined;
    if (table.has(line, Flag.sidechain) !== isSide || table.copiesOf(line).length > 0) return undefined;
    // A line before it names it as its parent: what was a root until now is none any more.
    if (table.parent.subarray(0, line).includes(table.uuid[line]!)) return undefined;
    const answers: number[] = [];
    for (; tool < table.toolCount && table.toolLine[tool]! <= line; tool++) {
      const id = table.toolId[tool]!;
      if (table.toolIsResult[tool] === 0) {
        if (places.callLine.has(id) || calls.has(id)) return undefined;
        calls.set(id, line);
        continue;
      }
      const call = calls.get(id) ?? places.callLine.get(id);
      const isSecond = places.resultLine.has(id) || answered.some(([each]) => each === id);
      if (kind !== "user" || call === undefined || isSecond) return undefined;
      answers.push(call);
      answered.push([id, line]);
    }
    const isShown = (each: number): boolean =>
      each < from ? places.lines[places.rowOf[each]!] === each : added.rows.includes(each);
    const isAnswer = (each: number): boolean =>
      each < from ? places.rowOf[each]! >= 0 && !isShown(each) : added.answers.some(([at]) => at === each);
    if (!isMessageShown(table, line, isShown)) return undefined;
    // Results of tools that ran together hang each on its own call.
    const hangsOnTail = table.parent[line] === table.uuid[added.path.at(-1)!];
    if (!hangsOnTail && !leadTo({ table, path: added.path, isShown, isAnswer }, line, answers))
      return undefined;
    added.lines.push(line);
    added.path.push(line);
    if (answers.length > 0 && !table.has(line, Flag.otherBlocks)) added.answers.push([line, answers[0]!]);
    else added.rows.push(line);
  }
  for (const [id, line] of calls) places.callLine.set(id, line);
  for (const [id, line] of answered) places.resultLine.set(id, line);
  return added;
}

// What stands behind the leaf already was not part of the conversation, and may become so.
function isLastMessage(table: LineTable, leaf: number, from: number): boolean {
  for (let line = leaf + 1; line < from; line++) if (table.uuid[line] !== 0) return false;
  return true;
}

// Whether the other lines of its message are in the conversation: else they come into it with this one.
function isMessageShown(table: LineTable, line: number, isShown: (line: number) => boolean): boolean {
  const message = table.message[line]!;
  if (message === 0) return true;
  let at = line;
  while (at > 0 && (at = table.message.lastIndexOf(message, at - 1)) >= 0) if (!isShown(at)) return false;
  return true;
}

interface Exchange {
  table: LineTable;
  path: number[];
  isShown: (line: number) => boolean;
  isAnswer: (line: number) => boolean;
}

// Makes the path one that ends at the call which a line answers, where behind the place at which it leaves the path there are
// only calls of the same message and their answers: these belong to the conversation all the same.
function leadTo(
  { table, path, isShown, isAnswer }: Exchange,
  line: number,
  answers: readonly number[],
): boolean {
  const [call] = answers;
  if (call === undefined || answers.length > 1 || table.parent[line] !== table.uuid[call]) return false;
  const isOfMessage = (each: number): boolean =>
    table.kindOf(each) === "assistant" && table.message[each] === table.message[call] && isShown(each);
  const climbed: number[] = [];
  let at: number | undefined = call;
  let joint = path.lastIndexOf(call);
  while (joint < 0) {
    climbed.unshift(at);
    const parent: number | undefined = table.parentFor(at);
    if (parent === undefined || parent >= at || !isOfMessage(parent)) return false;
    at = parent;
    joint = path.lastIndexOf(at);
  }
  for (let between = at + 1; between < line; between++)
    if (table.uuid[between] !== 0 && !isOfMessage(between) && !isAnswer(between)) return false;
  path.splice(joint + 1, path.length, ...climbed);
  return true;
}

function firstToolOf(table: LineTable, line: number): number {
  let tool = table.toolCount;
  while (tool > 0 && table.toolLine[tool - 1]! >= line) tool--;
  return tool;
}
