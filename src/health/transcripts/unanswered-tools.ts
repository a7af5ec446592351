import { toolUsesOf } from "../../format/entry-kinds.ts";
import { hashText, type LineTable } from "../../store/line/line-table.ts";
import { readLine } from "../../store/line/read-line.ts";
import type { ToolDefect } from "./transcript-defect.ts";

/** Tool uses among these lines that no line of the file answers. */
export function findUnansweredTools(table: LineTable, fd: number, lines: readonly number[]): ToolDefect[] {
  const answered = new Set<number>();
  const uses = new Map<number, number[]>();
  for (let tool = 0; tool < table.toolCount; tool++) {
    const [line, id] = [table.toolLine[tool]!, table.toolId[tool]!];
    if (table.toolIsResult[tool] === 1) answered.add(id);
    else uses.set(line, [...(uses.get(line) ?? []), id]);
  }
  return lines.flatMap((line) => {
    if (!uses.get(line)?.some((id) => !answered.has(id))) return [];
    const [offset, length] = [table.offset[line]!, table.length[line]!];
    const read = readLine(fd, { offset, length });
    if (!read.ok) return [];
    return toolUsesOf(read.entry)
      .filter(({ id }) => !answered.has(hashText(id)))
      .map(({ id }): ToolDefect => ({ kind: "unanswered-tool", offset, length, toolUseId: id }));
  });
}
