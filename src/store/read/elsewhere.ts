import { Flag, type LineTable } from "../line/line-table.ts";

/**
 * What of a transcript is in none of the messages of a conversation. With the messages of the conversation, these are all
 * messages of the file, and every line that is no entry.
 */
export interface Elsewhere {
  /** Messages on other branches, or behind the entry at which the conversation was to end. */
  branches: number;
  /** Messages of sub-agents inside the file (client 1.0.x); read as one of them, those of the session and of the others. */
  agents: number;
  /** Messages that stand in the file once more, with the same uuid. */
  repeated: number;
  /** Lines that are no entries. */
  rejected: number;
  /** Ids of the client's own helpers of the session: their transcripts copy lines of it. */
  helpers: readonly string[];
  /** The uuids at which other branches end, the newest first, and no more than a few: `leaf` takes one. */
  leaves: readonly string[];
}

/** The same of the lines of a table. */
export interface LinesElsewhere {
  branches: number;
  agents: number;
  repeated: number;
  leaves: number[];
}

/** Counts the messages of a table that are not among the lines of a conversation. */
export function linesElsewhere(table: LineTable, lines: readonly number[], leaf: number): LinesElsewhere {
  const said = new Set(lines);
  const inner = new Set<number>();
  const found: LinesElsewhere = { branches: 0, agents: 0, repeated: 0, leaves: [] };
  const side = table.has(leaf, Flag.sidechain);
  for (let line = table.count - 1; line >= 0; line--) {
    const isElsewhere = isMessage(table, line) && !said.has(line);
    const parent = table.parentFor(line);
    // A line between two messages of a branch leads on to the first of them.
    if (parent !== undefined && (isElsewhere || inner.has(line))) inner.add(parent);
    if (!isElsewhere) continue;
    if (repeats(table, line, said)) found.repeated++;
    else {
      const isAgents = table.has(line, Flag.sidechain) !== side;
      if (isAgents) found.agents++;
      else found.branches++;
      if (!isAgents && !inner.has(line) && table.uuid[line] !== 0) found.leaves.push(line);
    }
  }
  return found;
}

export function isMessage(table: LineTable, line: number): boolean {
  const kind = table.kindOf(line);
  return kind === "user" || kind === "assistant";
}

// Of several copies one is of the conversation or, where none is, the last one counts.
function repeats(table: LineTable, line: number, said: ReadonlySet<number>): boolean {
  const copies = table.copiesOf(line);
  if (copies.length === 0) return false;
  return copies.some((copy) => said.has(copy)) || copies.findLast((copy) => isMessage(table, copy)) !== line;
}
