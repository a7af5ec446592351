import fc from "fast-check";
import { expect, test } from "vitest";
import { Flag, LineTable, lineKinds } from "../../src/store/line-table.ts";
import {
  findDefaultLeaf,
  needsEarlierLines,
  walkConversation,
  type Preserved,
} from "../../src/store/walk-conversation.ts";

interface RandomLine {
  kind: number;
  flags: number;
  uuid: number;
  parent: number;
  message: number;
  tools: [id: number, isResult: boolean][];
  preserved: { anchor: number; lines: number[]; complete: boolean };
}

// Few ids for many lines: uuids repeat, parents point forwards, at themselves, in circles and at nothing.
const id = fc.nat({ max: 12 });
const randomLine: fc.Arbitrary<RandomLine> = fc.record({
  kind: fc.nat({ max: lineKinds.length - 1 }),
  flags: fc.nat({ max: 2 * Flag.meta - 1 }),
  uuid: id,
  parent: id,
  message: fc.nat({ max: 4 }),
  tools: fc.array(fc.tuple(id, fc.boolean()), { maxLength: 3 }),
  preserved: fc.record({
    anchor: fc.nat(),
    lines: fc.array(fc.nat(), { maxLength: 4 }),
    complete: fc.boolean(),
  }),
});

function tableOf(lines: RandomLine[], from: number): LineTable {
  const table = new LineTable();
  table.from = from;
  lines.forEach(({ kind, flags, uuid, parent, message, tools }, index) => {
    const line = table.addLine();
    table.offset[line] = from + index * 10;
    table.length[line] = 9;
    table.kind[line] = kind;
    table.flags[line] = flags;
    table.uuid[line] = uuid;
    table.parent[line] = parent;
    table.message[line] = message;
    for (const [tool, isResult] of tools) table.addTool(line, tool, isResult);
  });
  return table;
}

test("walkConversation() ends on any graph, returns each line at most once, and ends at its leaf", () => {
  fc.assert(
    fc.property(
      fc.array(randomLine, { minLength: 1, maxLength: 25 }),
      fc.record({
        leaf: fc.nat(),
        from: fc.constantFrom(0, 0, 5000),
        mode: fc.constantFrom("full" as const, "context" as const),
        last: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
      }),
      (lines, { leaf, from, mode, last }) => {
        const table = tableOf(lines, from);
        const at = (line: number): number => line % lines.length;
        const preservedBy = (boundary: number): Preserved => {
          const { anchor, lines: kept, complete } = lines[boundary]!.preserved;
          return { anchor: at(anchor), lines: kept.map(at), complete };
        };
        const walk = walkConversation(table, { leaf: at(leaf), mode, last, preservedBy });
        if (walk === needsEarlierLines) {
          expect(from).toBeGreaterThan(0);
          return;
        }
        expect(new Set(walk.lines).size).toBe(walk.lines.length);
        expect(walk.lines.filter((line) => !(line >= 0 && line < lines.length))).toEqual([]);
        expect(walk.lines.length).toBeLessThanOrEqual(last ?? lines.length);
        if (last === undefined && table.kindOf(at(leaf)) !== "progress")
          expect(walk.lines).toContain(at(leaf));
      },
    ),
    { numRuns: 3000 },
  );
});

test("findDefaultLeaf() ends on any graph and names a line that has a uuid", () => {
  fc.assert(
    fc.property(fc.array(randomLine, { maxLength: 25 }), fc.constantFrom(0, 5000), (lines, from) => {
      const table = tableOf(lines, from);
      const leaf = findDefaultLeaf(table);
      if (leaf === needsEarlierLines) expect(from).toBeGreaterThan(0);
      else if (leaf !== undefined) expect(table.uuid[leaf]).not.toBe(0);
    }),
    { numRuns: 2000 },
  );
});
