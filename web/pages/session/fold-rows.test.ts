import { expect, test } from "vitest";
import { foldRows } from "./fold-rows.ts";
import type { Item, Row } from "./row-store.ts";

const said = { text: "", bytes: 0, url: null };
const tool = (name: string, { isError = false } = {}): Item => ({
  kind: "tool",
  name,
  detail: "",
  toolUseId: null,
  lines: [],
  isCut: false,
  at: "2026-03-04T05:06:07.000Z",
  result: { said, isError, images: [], at: "2026-03-04T05:06:09.000Z", backgroundTaskId: null },
});
const answer: Item = { kind: "answer", said, at: null };
const rowsOf = (...items: Item[]): Row[] =>
  items.map((item, row) => ({ row, uuid: String(row), offset: row, items: [item] }));

test("foldRows() makes one line of quiet tools in a row, and never of what failed or changed something", () => {
  const read = tool("Read");
  const rows = rowsOf(
    answer,
    read,
    read,
    tool("Grep"),
    answer,
    read,
    tool("Edit"),
    tool("Read", { isError: true }),
    read,
  );
  const folded = foldRows(rows);
  expect([...folded.keys()]).toEqual([1, 2, 3]);
  expect(folded.get(2)).toEqual({ first: 1, last: 3, label: "Read 2 · Grep 1 · 2s" });
});
