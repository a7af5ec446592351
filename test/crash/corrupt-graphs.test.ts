import fc from "fast-check";
import { expect, test } from "vitest";
import { Flag, LineTable, lineKinds } from "../../src/store/line/line-table.ts";
import { findDefaultLeaf } from "../../src/store/read/default-leaf.ts";
import {
  needsEarlierLines,
  walkConversation,
  type Preserved,
} from "../../src/store/read/walk-conversation.ts";

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

function problemsOf(
  walk: ReturnType<typeof walkConversation>,
  { table, leaf, last }: { table: LineTable; leaf: number; last: number | undefined },
): string[] {
  if (walk === needsEarlierLines)
    return table.from > 0 ? [] : ["the table reaches back to the start, yet is too short"];
  const { lines } = walk;
  const problems: string[] = [];
  if (new Set(lines).size !== lines.length) problems.push(`a line twice: ${lines.join(" ")}`);
  if (lines.some((line) => !(line >= 0 && line < table.count)))
    problems.push(`no such line: ${lines.join(" ")}`);
  if (lines.length > (last ?? table.count)) problems.push("more lines than asked for");
  const isShown = table.kindOf(leaf) !== "progress";
  // A line that was written twice is shown where its first copy was placed.
  const isLeaf = (line: number): boolean => line === leaf || table.copiesOf(leaf).includes(line);
  if (last === undefined && isShown && !lines.some(isLeaf)) problems.push("without its leaf");
  return problems;
}

// A progress line with the uuid of the leaf, which a boundary says was preserved behind it.
const bare = { kind: lineKinds.indexOf("other"), flags: 0, uuid: 0, parent: 0, message: 0, tools: [] };
const nothing = { anchor: 0, lines: [], complete: false };
const progressWithLeafsUuid: RandomLine[] = [
  { ...bare, kind: lineKinds.indexOf("progress"), uuid: 11, preserved: nothing },
  { ...bare, uuid: 11, preserved: nothing },
  { ...bare, flags: Flag.preserved, preserved: { anchor: 1, lines: [0], complete: false } },
];

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
        expect(problemsOf(walk, { table, leaf: at(leaf), last })).toEqual([]);
      },
    ),
    {
      numRuns: 20_000,
      examples: [[progressWithLeafsUuid, { leaf: 1, from: 0, mode: "full", last: undefined }]],
    },
  );
});

test("findDefaultLeaf() ends on any graph and names a line that has a uuid", () => {
  fc.assert(
    fc.property(fc.array(randomLine, { maxLength: 25 }), fc.constantFrom(0, 5000), (lines, from) => {
      const table = tableOf(lines, from);
      const leaf = findDefaultLeaf(table);
      const isFound = leaf === undefined || (leaf === needsEarlierLines ? from > 0 : table.uuid[leaf] !== 0);
      expect(isFound).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
