import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { LineScanner, findLastLines, findLineStart, readBytes, type LinePosition } from "./line-scanner.ts";

interface ScannedLine extends LinePosition {
  text: string;
}

function scan(
  file: string,
  options: { from?: number; to?: number; lineBytesMax?: number; chunkBytes?: number } = {},
): ScannedLine[] {
  const { from = 0, to = fs.statSync(file).size, lineBytesMax = 1000, chunkBytes = 8 } = options;
  const fd = fs.openSync(file, "r");
  try {
    const lines: ScannedLine[] = [];
    const scanner = new LineScanner(fd, { from, to, lineBytesMax, chunkBytes });
    while (
      scanner.next((bytes, start, end, position) =>
        lines.push({ text: bytes.toString("utf8", start, end), ...position }),
      )
    );
    return lines;
  } finally {
    fs.closeSync(fd);
  }
}

// The same by the plainest means: split the text, count bytes.
function split(text: string, { lineBytesMax = 1000 } = {}): ScannedLine[] {
  const parts = text.split("\n");
  let offset = 0;
  const lines = parts.map((part, index) => {
    const length = Buffer.byteLength(part);
    const oversized = length > lineBytesMax;
    const line = {
      text: oversized ? "" : part,
      offset,
      terminated: index < parts.length - 1,
      oversized,
      length,
    };
    offset += length + 1;
    return line;
  });
  return lines.at(-1)!.length === 0 ? lines.slice(0, -1) : lines;
}

function fileOf(text: string): string {
  const file = path.join(tempDir(), "lines");
  fs.writeFileSync(file, text);
  return file;
}

const lines = fc.array(
  fc.string({ unit: "grapheme", maxLength: 30 }).map((line) => line.replaceAll("\n", "_")),
  {
    maxLength: 12,
  },
);
const text = fc.tuple(lines, fc.boolean()).map(([parts, ends]) => parts.join("\n") + (ends ? "\n" : ""));

test("LineScanner cuts like String.split at every chunk size", () => {
  const file = fileOf("");
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 70 }), (sample, chunkBytes) => {
      fs.writeFileSync(file, sample);
      expect(scan(file, { chunkBytes })).toEqual(split(sample));
    }),
    { numRuns: 400 },
  );
});

test("LineScanner passes over lines longer than the limit, and says where and how long they are, at every chunk size", () => {
  const file = fileOf("");
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 1, max: 70 }),
      fc.integer({ min: 1, max: 40 }),
      (sample, chunkBytes, lineBytesMax) => {
        fs.writeFileSync(file, sample);
        expect(scan(file, { chunkBytes, lineBytesMax })).toEqual(split(sample, { lineBytesMax }));
      },
    ),
    { numRuns: 400 },
  );
});

test("LineScanner visits every line in a buffer that it is given, at every buffer size", () => {
  const file = fileOf("");
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 70 }), (sample, bufferBytes) => {
      fs.writeFileSync(file, sample);
      const found: string[] = [];
      const fd = fs.openSync(file, "r");
      const to = fs.fstatSync(fd).size;
      const buffer = Buffer.alloc(bufferBytes);
      const scanner = new LineScanner(fd, { from: 0, to, lineBytesMax: 1000, buffer });
      while (scanner.next((bytes, start, end) => found.push(bytes.toString("utf8", start, end))));
      fs.closeSync(fd);
      expect(found).toEqual(split(sample).map((line) => line.text));
    }),
    { numRuns: 400 },
  );
});

test("LineScanner starts and ends where it is told, whatever stands around", () => {
  expect(scan(fileOf("one\ntwo\nthree\nfour"), { from: 4, to: 10 })).toEqual([
    { text: "two", offset: 4, terminated: true, oversized: false, length: 3 },
    { text: "th", offset: 8, terminated: false, oversized: false, length: 2 },
  ]);
});

test("LineScanner visits nothing in an empty range and ends early when the file was cut meanwhile", () => {
  const file = fileOf("one\ntwo\n");
  expect([scan(file, { from: 4, to: 4 }), scan(file, { to: 100 })]).toEqual([[], split("one\ntwo\n")]);
});

test("findLineStart() finds the start of the line that ends at or around a byte", () => {
  const long = "x".repeat(200_000);
  const file = fileOf(`one\n${long}\nthree`);
  const fd = fs.openSync(file, "r");
  const starts = [0, 1, 3, 4, 5, 100_000, 200_004, 200_005, 200_010].map((at) => findLineStart(fd, at));
  fs.closeSync(fd);
  expect(starts).toEqual([0, 0, 0, 4, 4, 4, 4, 200_005, 200_005]);
});

test.each([
  { tail: "", count: 1, from: 0, start: 200_005 },
  { tail: "\n", count: 1, from: 0, start: 200_005 },
  { tail: "\n", count: 2, from: 0, start: 4 },
  { tail: "\n\n", count: 2, from: 0, start: 200_005 },
  { tail: "\n", count: 3, from: 0, start: 0 },
  { tail: "\n", count: 4, from: 0, start: 0 },
  { tail: "\n", count: 1, from: 200_008, start: 200_005 },
  { tail: "\n", count: 2, from: 200_005, start: 200_005 },
  { tail: "\n", count: 2, from: 100, start: 4 },
])(
  "findLastLines() finds the start of the last $count before $tail, and looks no further than $from",
  ({ tail, count, from, start }) => {
    const file = fileOf(`one\n${"x".repeat(200_000)}\nthree${tail}`);
    const fd = fs.openSync(file, "r");
    const found = findLastLines(fd, { from, to: fs.fstatSync(fd).size, lines: count });
    fs.closeSync(fd);
    expect(found).toBe(start);
  },
);

test("readBytes() gives what is asked for, less only at the end of the file", () => {
  const fd = fs.openSync(fileOf("0123456789"), "r");
  const read = [readBytes(fd, { offset: 2, length: 3 }), readBytes(fd, { offset: 8, length: 9 })].map(String);
  fs.closeSync(fd);
  expect(read).toEqual(["234", "89"]);
});
