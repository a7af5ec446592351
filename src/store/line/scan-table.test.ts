import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sampleSession, tempDir } from "../../../test/support/index.ts";
import { Flag, hashId, type LineTable } from "./line-table.ts";
import { scanTable } from "./scan-table.ts";

const hash = (id: string): number => hashId(Buffer.from(id));

function open(content: string | Buffer): { fd: number; size: number; close: () => void } {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, content);
  const fd = fs.openSync(file, "r");
  return { fd, size: fs.fstatSync(fd).size, close: () => fs.closeSync(fd) };
}

async function scan(content: string | Buffer, from = 0): Promise<LineTable> {
  const { fd, close } = open(content);
  try {
    return await scanTable(fd, { from });
  } finally {
    close();
  }
}

const rowsOf = (table: LineTable): object[] =>
  Array.from({ length: table.count }, (_, line) => ({
    offset: table.offset[line],
    length: table.length[line],
    kind: table.kindOf(line),
    flags: table.flags[line],
    uuid: table.uuid[line],
    parent: table.parent[line],
    message: table.message[line],
  }));

test("scanTable() notes what each kind of line says", async () => {
  const lines = [
    '{"type":"user","uuid":"a","parentUuid":null,"isMeta":true}',
    '{"type":"assistant","uuid":"b","parentUuid":"a","isSidechain":true,"message":{"id":"m","content":[]}}',
    '{"type":"system","subtype":"compact_boundary","uuid":"B","parentUuid":null,"logicalParentUuid":"b","compactMetadata":{"preservedSegment":{}}}',
    '{"type":"user","uuid":"S","parentUuid":"B","logicalParentUuid":"b","isCompactSummary":true}',
    '{"type":"progress","uuid":"p","parentUuid":"S"}',
    '{"type":"attachment","uuid":"t","parentUuid":"p"}',
    '{"type":"queue-operation","operation":"enqueue"}',
    '{"type":"custom-title"}',
    '{"type":"rejected","uuid":"r"}',
    "not a line",
  ];
  let offset = 0;
  const row = (line: number, facts: object): object => {
    const at = offset;
    offset += lines[line]!.length + 1;
    return { offset: at, length: lines[line]!.length, flags: 0, uuid: 0, parent: 0, message: 0, ...facts };
  };
  expect(rowsOf(await scan(`${lines.join("\n")}\n`))).toEqual([
    row(0, { kind: "user", uuid: hash("a"), flags: Flag.meta }),
    row(1, {
      kind: "assistant",
      uuid: hash("b"),
      parent: hash("a"),
      message: hash("m"),
      flags: Flag.sidechain,
    }),
    row(2, {
      kind: "system",
      uuid: hash("B"),
      parent: hash("b"),
      flags: Flag.compactBoundary | Flag.preserved | Flag.logicalParent,
    }),
    row(3, { kind: "user", uuid: hash("S"), parent: hash("B"), flags: Flag.compactSummary }),
    row(4, { kind: "progress", uuid: hash("p"), parent: hash("S") }),
    row(5, { kind: "attachment", uuid: hash("t"), parent: hash("p") }),
    row(6, { kind: "queue-operation" }),
    row(7, { kind: "other" }),
    row(8, { kind: "other", uuid: hash("r") }),
    row(9, { kind: "rejected" }),
  ]);
});

test("scanTable() notes nothing of a line that is refused, not even of the line before it", async () => {
  const whole =
    '{"type":"user","uuid":"a","parentUuid":"x","message":{"id":"m","content":[{"type":"tool_use","id":"t"}]}}';
  const refused = [
    whole.slice(0, -1),
    `${whole}${whole}`,
    whole.replace('"a"', '"a\0"'),
    `{"uuid":"a"}`,
    "\0\0\0",
  ];
  for (const line of refused) {
    const table = await scan(`${whole}\n${line}\n`);
    expect([rowsOf(table)[1], table.toolCount], `line ${line}`).toEqual([
      {
        offset: whole.length + 1,
        length: line.length,
        kind: "rejected",
        flags: 0,
        uuid: 0,
        parent: 0,
        message: 0,
      },
      1,
    ]);
  }
});

test("scanTable() finds NUL bytes deep inside a long text", async () => {
  const text = `{"type":"user","text":"${"x".repeat(5000)}\0${"x".repeat(5000)}"}\n`;
  expect(rowsOf(await scan(text))).toMatchObject([{ kind: "rejected" }]);
});

test.each([
  ["a newline", '{"type":"user"}\n', 16, 1],
  ["a whole entry without a newline", '{"type":"user"}\n{"type":"user"}', 31, 2],
  ["half an entry", '{"type":"user"}\n{"type":"us', 16, 2],
  ["white space", '{"type":"user"}\n  \r\n\n ', 22, 1],
  ["nothing", "", 0, 0],
])("scanTable() says how far it got in a file that ends in %s", async (_what, text, to, count) => {
  const table = await scan(text);
  expect({ to: table.to, count: table.count }).toEqual({ to, count });
});

test("scanTable() of a part gives the lines of that part", async () => {
  const text = sampleSession().jsonl();
  const whole = rowsOf(await scan(text)) as { offset: number }[];
  for (const { offset } of whole) {
    const part = await scan(text, offset);
    expect([part.from, rowsOf(part)]).toEqual([offset, whole.filter((row) => row.offset >= offset)]);
  }
});

test("scanTable() lets other work run in between", async () => {
  const text = sampleSession({ rounds: 300 }).jsonl().repeat(3);
  const { fd, size, close } = open(text);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const table = await scanTable(fd);
  clearInterval(timer);
  close();
  expect(size).toBeGreaterThan(3 << 20);
  expect(table.to).toBe(size);
  expect(turns).toBeGreaterThan(0);
});

test("scanTable() stops when its signal says so", async () => {
  const { fd, close } = open(sampleSession().jsonl().repeat(700));
  const stop = new AbortController();
  const scanning = scanTable(fd, { signal: stop.signal });
  stop.abort();
  await expect(scanning).rejects.toThrow("aborted");
  close();
});
