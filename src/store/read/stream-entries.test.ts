import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sampleSession, seededRandom, startProgram, tempDir } from "../../../test/support/index.ts";
import { randomSession } from "../../../test/support/random-session.ts";
import type { EntryFilter } from "./entry-filter.ts";
import { streamEntries, type StreamedLine } from "./stream-entries.ts";

function write(content: string | Buffer): string {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, content);
  return file;
}

async function collect(file: string, filter?: EntryFilter): Promise<StreamedLine[]> {
  const lines: StreamedLine[] = [];
  for await (const line of streamEntries(file, filter)) lines.push(line);
  return lines;
}

/** What parsing the file line by line gives. */
function parsed(content: string): object[] {
  const lines: object[] = [];
  let offset = 0;
  for (const text of content.split("\n")) {
    const bytes = Buffer.from(text);
    if (text !== "")
      lines.push({ kind: "entry", entry: JSON.parse(text) as object, offset, length: bytes.length, bytes });
    offset += bytes.length + 1;
  }
  return lines;
}

test("streamEntries() gives every line with its place and its bytes", async () => {
  const content = sampleSession().jsonl();
  expect(await collect(write(content))).toEqual(parsed(content));
});

test("streamEntries() gives lines of any length, over and under what is read at once", async () => {
  // Texts compare faster than bytes.
  const readable = (line: object): object => ({
    ...line,
    bytes: (line as { bytes: Buffer }).bytes.toString("latin1"),
  });
  for (let seed = 1; seed <= 10; seed++) {
    const content = `${randomSession(seededRandom(seed), { steps: 10, paddingMax: 3 << 20 }).join("\n")}\n`;
    const lines = await collect(write(content));
    expect(lines.map(readable), `seed ${seed}`).toEqual(parsed(content).map(readable));
  }
});

test("streamEntries() gives a last line without a newline, and blank lines not at all", async () => {
  const content = '{"type":"a"}\n\n  \r\n\t\n{"type":"b"}';
  expect(await collect(write(content))).toMatchObject([
    { kind: "entry", entry: { type: "a" }, offset: 0 },
    { kind: "entry", entry: { type: "b" }, offset: 20 },
  ]);
});

test("streamEntries() gives every line that is none with its place and reason, whatever the filter", async () => {
  const bad = [
    '{"type":"torn',
    '{"type":"a"}{"type":"b"}',
    "\0\0",
    "hello",
    "7",
    "[]",
    '{"uuid":"a"}',
    '{"type":7}',
    '{"type":"x","t":"\u0001"}',
  ];
  const reasons = [
    "torn",
    "glued",
    "nul-bytes",
    "not-json",
    "not-an-object",
    "not-an-object",
    "no-type",
    "no-type",
    "not-json",
  ];
  let offset = 0;
  const rejections = bad.map((line, index) => {
    const rejection = { offset, length: line.length, reason: reasons[index] };
    offset += line.length + 1;
    return { kind: "rejection", rejection };
  });
  expect(await collect(write(bad.join("\n")), { types: ["nothing"] })).toEqual(rejections);
});

test("streamEntries() reads a byte order mark and line ends of other systems as what they are", async () => {
  const file = write('\uFEFF{"type":"a"}\r\n{"type":"b"}\r\n');
  const lines = await collect(file);
  expect(lines.map((line) => line.kind === "entry" && [line.entry.type, line.offset, line.length])).toEqual([
    ["a", 0, 16],
    ["b", 17, 13],
  ]);
});

test("streamEntries() gives only what passes the filter, with the bytes of the file", async () => {
  const mixed = {
    type: "assistant",
    uuid: "a",
    parentUuid: null,
    message: {
      content: [
        { type: "text", text: "x" },
        { type: "tool_use", id: "t", name: "n" },
      ],
    },
  };
  const content = `{"type":"user"}\n${JSON.stringify(mixed)}\n`;
  const [line, ...others] = await collect(write(content), { types: ["assistant"], withoutTools: true });
  expect([line, others]).toEqual([
    {
      kind: "entry",
      entry: { ...mixed, message: { content: [{ type: "text", text: "x" }] } },
      offset: 16,
      length: content.length - 17,
      bytes: Buffer.from(JSON.stringify(mixed)),
    },
    [],
  ]);
});

test("streamEntries() does not see what is appended after it began", async () => {
  const file = write('{"type":"a"}\n');
  const seen: string[] = [];
  for await (const line of streamEntries(file)) {
    if (line.kind === "entry") seen.push(line.entry.type);
    fs.appendFileSync(file, '{"type":"b"}\n');
  }
  expect(seen).toEqual(["a"]);
});

test("streamEntries() ends early when the file is cut while it is read", async () => {
  const file = write('{"type":"a"}\n'.repeat(200_000));
  const kinds: string[] = [];
  for await (const line of streamEntries(file)) {
    if (kinds.length === 0) fs.truncateSync(file, 13);
    kinds.push(line.kind);
  }
  // The line in which the first piece ends is torn now.
  expect([kinds.length < 200_000, new Set(kinds.slice(0, -1))]).toEqual([true, new Set(["entry"])]);
});

test("streamEntries() closes the file when its reader stops early", async () => {
  for await (const line of streamEntries(write(sampleSession().jsonl()))) {
    expect(line.kind).toBe("entry");
    break;
  }
});

test("streamEntries() lets other work run while it reads", async () => {
  const file = write('{"type":"a"}\n'.repeat(200_000));
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  let count = 0;
  for await (const line of streamEntries(file)) count += line.kind === "entry" ? 1 : 0;
  clearInterval(timer);
  expect([count, turns > 0]).toEqual([200_000, true]);
});

test("streamEntries() says when the file is not there or is none", async () => {
  const dir = tempDir();
  await expect(collect(path.join(dir, "x.jsonl"))).rejects.toMatchObject({ code: "session_not_found" });
  await expect(collect(dir)).rejects.toMatchObject({ code: "not_a_transcript" });
});

test.skipIf(process.platform !== "linux")(
  "streamEntries() keeps its memory small however large the file is",
  async () => {
    const file = path.join(tempDir(), "session.jsonl");
    const block = `{"type":"user","text":"${"x".repeat(4000)}"}\n`.repeat(1000);
    for (let written = 0; written < 200 << 20; written += block.length) fs.appendFileSync(file, block);
    const program = startProgram("read-transcript", ["stream", file]);
    const ending = await program.ended();
    const { lines, peakBytes } = JSON.parse(program.lines[0] ?? "{}") as {
      lines?: number;
      peakBytes?: number;
    };
    expect({ ending, lines, errors: program.errors }).toEqual({
      ending: { code: 0, signal: null },
      lines: fs.statSync(file).size / (block.length / 1000),
      errors: [],
    });
    expect(peakBytes).toBeLessThan(150 << 20);
  },
);
