import { Flag, type LineTable } from "../../store/line/line-table.ts";

/** Which lines of a conversation are rows, and which lines answer their tools. */
export interface RowPlaces {
  /** The line of each row. */
  lines: Uint32Array;
  /** The row that a line is in: its own, or that of the call which it answers; -1 for a line that is not in the conversation. */
  rowOf: Int32Array;
  /** By the hash of a tool use, the line that calls it, and the line with its result. */
  callLine: Map<number, number>;
  resultLine: Map<number, number>;
}

/** Every line of a conversation is a row of its own, but those that hold nothing except results of calls before them. */
export function placeRows(table: LineTable, lines: readonly number[]): RowPlaces {
  const position = new Int32Array(table.count).fill(-1);
  lines.forEach((line, index) => (position[line] = index));
  const { callLine, resultLine, answering } = joinTools(table, position);
  const rows = new Uint32Array(lines.length);
  const rowOf = new Int32Array(table.count).fill(-1);
  let count = 0;
  for (const line of lines) {
    if (answering.get(line) === "alone" && !table.has(line, Flag.otherBlocks)) continue;
    rowOf[line] = count;
    rows[count++] = line;
  }
  for (const [id, line] of resultLine) if (rowOf[line] === -1) rowOf[line] = rowOf[callLine.get(id)!]!;
  return { lines: rows.slice(0, count), rowOf, callLine, resultLine };
}

interface JoinedTools {
  callLine: Map<number, number>;
  resultLine: Map<number, number>;
  /** Lines with results: `alone` when every one of them answers a call before it. */
  answering: Map<number, "alone" | "mixed">;
}

// The first result of a call is its answer. Another one, and one without a call, stands for itself.
function joinTools(table: LineTable, position: Int32Array): JoinedTools {
  const joined: JoinedTools = { callLine: new Map(), resultLine: new Map(), answering: new Map() };
  const { callLine, resultLine, answering } = joined;
  for (let tool = 0; tool < table.toolCount; tool++) {
    const line = table.toolLine[tool]!;
    const id = table.toolId[tool]!;
    if (table.toolIsResult[tool] === 0 && position[line]! >= 0 && !callLine.has(id)) callLine.set(id, line);
  }
  for (let tool = 0; tool < table.toolCount; tool++) {
    const line = table.toolLine[tool]!;
    if (table.toolIsResult[tool] === 0 || position[line]! < 0) continue;
    const id = table.toolId[tool]!;
    const call = callLine.get(id);
    const isAnswer = call !== undefined && position[call]! < position[line]! && !resultLine.has(id);
    if (isAnswer) resultLine.set(id, line);
    if (!isAnswer || table.kindOf(line) !== "user") answering.set(line, "mixed");
    else if (!answering.has(line)) answering.set(line, "alone");
  }
  return joined;
}
