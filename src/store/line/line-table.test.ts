import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { LineTable, hashId, hashText, lineKinds } from "./line-table.ts";

function tableOf(lines: { offset: number; uuid?: string; tools?: [string, boolean][] }[]): LineTable {
  const table = new LineTable();
  for (const { offset, uuid, tools = [] } of lines) {
    const line = table.addLine();
    table.offset[line] = offset;
    table.uuid[line] = uuid === undefined ? 0 : hash(uuid);
    for (const [id, isResult] of tools) table.addTool(line, hash(id), isResult);
    table.to = offset + 10;
  }
  return table;
}

const hash = (id: string): number => hashId(Buffer.from(id));

test("LineTable keeps every line and tool when it grows", () => {
  const table = tableOf(
    Array.from({ length: 1000 }, (_, i) => ({
      offset: i * 10,
      uuid: `u${i}`,
      tools: [[`t${i}`, i % 2 === 1]],
    })),
  );
  const found = Array.from({ length: 1000 }, (_, i) => [
    table.findByUuid(hash(`u${i}`)),
    table.answersTool(i),
  ]);
  expect(found).toEqual(Array.from({ length: 1000 }, (_, i) => [i, i % 2 === 1]));
  expect([...table.toolLine.subarray(0, table.toolCount)]).toEqual(Array.from({ length: 1000 }, (_, i) => i));
});

test("findByUuid() finds the last line that carries a uuid, and none for a uuid that is not there", () => {
  const table = tableOf([
    { offset: 0, uuid: "a" },
    { offset: 10, uuid: "b" },
    { offset: 20, uuid: "a" },
    { offset: 30 },
  ]);
  expect([
    table.findByUuid(hash("a")),
    table.findByUuid(hash("b")),
    table.findByUuid(hash("c")),
    table.findByUuid(0),
  ]).toEqual([2, 1, undefined, undefined]);
  table.uuid[table.addLine()] = hash("c");
  expect(table.findByUuid(hash("c"))).toBe(4);
});

test("answersTool() tells a result from a use on the same line", () => {
  const table = tableOf([
    { offset: 0, tools: [["a", false]] },
    { offset: 10 },
    {
      offset: 20,
      tools: [
        ["b", false],
        ["a", true],
      ],
    },
  ]);
  expect([0, 1, 2].map((line) => table.answersTool(line))).toEqual([false, false, true]);
});

test("hashId() is exact in a double, never 0, and tells 200,000 uuids apart", () => {
  const hashes = new Set<number>([hashId(Buffer.alloc(0))]);
  for (let i = 0; i < 200_000; i++) hashes.add(hash(randomUUID()));
  expect([hashes.size, hashes.has(0), [...hashes].every(Number.isSafeInteger)]).toEqual([
    200_001,
    false,
    true,
  ]);
});

test("hashId() depends on the bytes of the range alone", () => {
  expect(hashId(Buffer.from("xx-id-yy"), 3, 5)).toBe(hash("id"));
});

test("lineKinds starts with what was refused, because an empty column means that", () => {
  expect(lineKinds[0]).toBe("rejected");
});

test("hashText() is the hash of the text's bytes, whatever its characters", () => {
  for (const text of ["", "a", "8f21-uuid", "ü 漢 🙂", "x".repeat(300)]) {
    expect({ text, hash: hashText(text) }).toEqual({ text, hash: hash(text) });
  }
});
