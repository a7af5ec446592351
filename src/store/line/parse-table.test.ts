import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { requireSharedCorpus, sampleSession, tempDir } from "../../../test/support/index.ts";
import type { LineTable } from "./line-table.ts";
import { parseIntoTable } from "./parse-table.ts";
import { scanTable } from "./scan-table.ts";

function columnsOf(table: LineTable): unknown {
  const {
    count,
    toolCount,
    from,
    to,
    offset,
    length,
    kind,
    flags,
    uuid,
    parent,
    message,
    toolLine,
    toolId,
    toolIsResult,
  } = table;
  const lines = [offset, length, kind, flags, uuid, parent, message].map((column) =>
    Array.from(column.subarray(0, count)),
  );
  const tools = [toolLine, toolId, toolIsResult].map((column) => Array.from(column.subarray(0, toolCount)));
  return { from, to, lines, tools };
}

async function bothTables(file: string): Promise<{ parsed: unknown; skimmed: unknown }> {
  const fd = fs.openSync(file, "r");
  try {
    const to = fs.fstatSync(fd).size;
    return {
      parsed: columnsOf(parseIntoTable(fd, { from: 0, to })),
      skimmed: columnsOf(await scanTable(fd)),
    };
  } finally {
    fs.closeSync(fd);
  }
}

// As a reader does that finds a piece too small: the end first, then what stands before it.
function tableOfPieces(file: string, cuts: number[]): LineTable {
  const fd = fs.openSync(file, "r");
  try {
    let to = fs.fstatSync(fd).size;
    let later: LineTable | undefined;
    for (const from of [...cuts, 0]) {
      later = parseIntoTable(fd, { from, to, later });
      to = from;
    }
    return later!;
  } finally {
    fs.closeSync(fd);
  }
}

const damage = ['{"type":"torn', "[1]", '{"no":"type"}', "", "  ", '{"type":"a"}{"type":"b"}'].join("\n");
const session = sampleSession({ rounds: 3 }).jsonl();
const last = '{"type":"user","uuid":"last"}';
const long = `{"type":"user","uuid":"ünïcödé 🙂","text":"${"x".repeat(600_000)}"}\n`;

const contents: [string, string][] = [
  ["lines that are no entries", `${damage}\n${session}${last}`],
  ["a run of NUL", `${session}\0\0\0\n${session}${last}\n`],
  ["byte order marks", `\ufeff${session}\ufeff${last}`],
  ["a torn last line", `${session}{"type":"torn`],
  ["nothing at all", ""],
  [
    "a long piece, with lines longer than what is read at once",
    `${long}${session}${long}${damage}\n${long}${last}`,
  ],
  ["a long piece with a torn last line", `${session}${long.repeat(3)}{"type":"torn`],
];

test.each(contents)("parseIntoTable() finds the same facts as the skimmer in %s", async (_what, content) => {
  const file = path.join(tempDir(), "s.jsonl");
  fs.writeFileSync(file, content);
  const { parsed, skimmed } = await bothTables(file);
  expect(parsed).toEqual(skimmed);
});

test.each(contents)("parseIntoTable() finds in pieces what it finds at once in %s", (_what, content) => {
  const file = path.join(tempDir(), "s.jsonl");
  fs.writeFileSync(file, content);
  const bytes = Buffer.from(content);
  const starts: number[] = [];
  for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, newline + 1))
    starts.unshift(newline + 1);
  const whole = tableOfPieces(file, []);
  for (const cuts of [starts, ...starts.slice(0, 20).map((start) => [start])]) {
    const joined = tableOfPieces(file, cuts);
    expect(columnsOf(joined), `cut at ${cuts.join()}`).toEqual(columnsOf(whole));
    expect(new Map([...joined.parsed!].sort(([a], [b]) => a - b))).toEqual(whole.parsed);
  }
});

test("parseIntoTable() finds the same facts as the skimmer in every file of the corpus", async (context) => {
  const root = requireSharedCorpus(context);
  const names = (fs.readdirSync(root, { recursive: true }) as string[]).filter((name) =>
    name.endsWith(".jsonl"),
  );
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const { parsed, skimmed } = await bothTables(path.join(root, name));
    expect({ name, parsed }).toEqual({ name, parsed: skimmed });
  }
});
