import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { preservedLines } from "./preserved-lines.ts";
import { parseIntoTable } from "../line/parse-table.ts";
import type { Preserved } from "./walk-conversation.ts";

/** What the boundary at line 3 of "a b c B S d" preserves when it says so with this. */
function preservedWith(
  compactMetadata: unknown,
  parents: Record<string, string> = {},
): Preserved | undefined {
  const line = (uuid: string, parentUuid: string | null, extra: object = {}): string =>
    `${JSON.stringify({ type: "user", uuid, parentUuid: parents[uuid] ?? parentUuid, ...extra })}\n`;
  const file = path.join(tempDir(), "session.jsonl");
  const boundary = { type: "system", subtype: "compact_boundary", compactMetadata };
  fs.writeFileSync(
    file,
    line("a", null) +
      line("b", "a") +
      line("c", "b") +
      line("B", null, boundary) +
      line("S", "B") +
      line("d", "c"),
  );
  const fd = fs.openSync(file, "r");
  try {
    const table = parseIntoTable(fd, { from: 0, to: fs.fstatSync(fd).size });
    return preservedLines(table, fd, 3);
  } finally {
    fs.closeSync(fd);
  }
}

test.each<[string, unknown, Preserved | undefined]>([
  [
    "messages",
    { preservedMessages: { anchorUuid: "S", uuids: ["b", "c"] } },
    { anchor: 4, lines: [1, 2], complete: true },
  ],
  [
    "no messages",
    { preservedMessages: { anchorUuid: "S", uuids: [] } },
    { anchor: 4, lines: [], complete: true },
  ],
  [
    "messages that were never written",
    { preservedMessages: { anchorUuid: "S", uuids: ["b", "never"] } },
    { anchor: 4, lines: [1], complete: false },
  ],
  [
    "messages behind the boundary",
    { preservedMessages: { anchorUuid: "S", uuids: ["c", "d"] } },
    { anchor: 4, lines: [2], complete: true },
  ],
  [
    "a segment",
    { preservedSegment: { anchorUuid: "S", headUuid: "b", tailUuid: "c" } },
    { anchor: 4, lines: [1, 2], complete: true },
  ],
  [
    "a segment of one",
    { preservedSegment: { anchorUuid: "S", headUuid: "c", tailUuid: "c" } },
    { anchor: 4, lines: [2], complete: true },
  ],
  [
    "a segment whose head is behind its tail",
    { preservedSegment: { anchorUuid: "S", headUuid: "c", tailUuid: "b" } },
    { anchor: 4, lines: [1], complete: false },
  ],
  [
    "a segment without a known tail",
    { preservedSegment: { anchorUuid: "S", headUuid: "b", tailUuid: "never" } },
    { anchor: 4, lines: [], complete: false },
  ],
  [
    "an anchor that was never written",
    { preservedMessages: { anchorUuid: "never", uuids: ["b"] } },
    undefined,
  ],
  ["no anchor", { preservedMessages: { uuids: ["b"] } }, undefined],
  ["nothing", {}, undefined],
  ["null", null, undefined],
  ["what is no object", "x", undefined],
  ["null in both places", { preservedMessages: null, preservedSegment: null }, undefined],
  [
    "a list of anything",
    { preservedMessages: { anchorUuid: "S", uuids: [7, null, "b", { uuid: "c" }] } },
    { anchor: 4, lines: [1], complete: false },
  ],
  [
    "both, of which the list is exact",
    {
      preservedMessages: { anchorUuid: "S", uuids: ["a", "c"] },
      preservedSegment: { anchorUuid: "S", headUuid: "a", tailUuid: "c" },
    },
    { anchor: 4, lines: [0, 2], complete: true },
  ],
])("preservedLines() reads %s", (_what, metadata, expected) => {
  expect(preservedWith(metadata)).toEqual(expected);
});

test("preservedLines() ends on a segment that runs in a circle", () => {
  const metadata = { preservedSegment: { anchorUuid: "S", headUuid: "a", tailUuid: "c" } };
  expect(preservedWith(metadata, { b: "c" })).toEqual({ anchor: 4, lines: [2], complete: false });
});
