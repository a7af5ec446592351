import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { findNewestBoundary } from "./newest-boundary.ts";

const boundary = '{"type":"system","subtype":"compact_boundary","uuid":"b"}';
const reversed = '{"uuid":"b","parentUuid":null,"subtype":"compact_boundary","type":"system"}';
const plain = '{"type":"user","uuid":"a"}';

/** Which line it finds, or undefined. */
function findIn(lines: string[], { end }: { end?: number } = {}): number | undefined {
  const file = path.join(tempDir(), "session.jsonl");
  const starts: number[] = [];
  lines.reduce((at, line) => (starts.push(at), at + line.length + 1), 0);
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const fd = fs.openSync(file, "r");
  try {
    const offset = findNewestBoundary(fd, end ?? fs.fstatSync(fd).size);
    return offset === undefined ? undefined : starts.indexOf(offset);
  } finally {
    fs.closeSync(fd);
  }
}

test("findNewestBoundary() finds the last of several, whatever the order of its keys", () => {
  expect([
    findIn([plain, boundary, plain, reversed, plain]),
    findIn([boundary, plain]),
    findIn([plain, boundary]),
    findIn([plain, boundary, plain, boundary], { end: plain.length + boundary.length + 2 }),
    findIn([plain]),
    findIn([]),
  ]).toEqual([3, 0, 1, 1, undefined, undefined]);
});

test.each([
  ["text of a message", JSON.stringify({ type: "user", message: { content: boundary } })],
  ["a key of a nested object", `{"type":"user","toolUseResult":{"subtype":"compact_boundary"}}`],
  ["another key of the line", `{"type":"user","tag":"compact_boundary"}`],
  ["a sub-agent's compaction", `{"isSidechain":true,"type":"system","subtype":"compact_boundary"}`],
  ["a torn line", '{"type":"system","subtype":"compact_boundary","uuid'],
  ["no line at all", '"compact_boundary"'],
])("findNewestBoundary() does not take %s for one", (_what, line) => {
  expect([findIn([plain, line, plain]), findIn([boundary, line, plain])]).toEqual([undefined, 0]);
});

test("findNewestBoundary() finds one that lies across two windows", () => {
  const window = 1 << 20;
  const found = Array.from({ length: boundary.length + 2 }, (_, shift) => {
    const padding = `{"type":"user","text":"${"x".repeat(window)}`;
    const tail = padding.slice(0, window - 3 - shift);
    return findIn([plain, boundary, `${tail}"}`]);
  });
  expect(new Set(found)).toEqual(new Set([1]));
});

test("findNewestBoundary() looks at a line only once, however often the mark stands in it", () => {
  const marks = '"compact_boundary",'.repeat(500_000);
  const startedAt = performance.now();
  expect(findIn([boundary, `{"type":"user","toolUseResult":[${marks}0]}`, plain])).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
