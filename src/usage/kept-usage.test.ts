import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import {
  runProgram,
  seededRandom,
  startProgram,
  tempDir,
  waitFor,
  type SeededRandom,
} from "../../test/support/index.ts";
import { answerLines, usageWorld, type UsageWorld } from "../../test/support/usage-world.ts";
import type { IndexTrouble } from "../store/index/derived-index.ts";
import type { PriceOverrides } from "./prices/price.ts";
import { reportUsage, type UsageContext, type UsageOptions } from "./report-usage.ts";
import type { UsageReport } from "./sum-rows.ts";

// A token costs whole dollars, so that sums are the same in any order.
const prices = { "claude-opus-4-6": { input: 1e6, output: 1e6 }, other: { input: 2e6, output: 4e6 } };

const questions: UsageOptions[] = [
  ...(["day", "model", "project", "session", "agent", "task"] as const).map((by) => ({ by })),
  { by: "session", since: new Date("2026-03-02T00:00:00Z") },
  { by: "day", since: new Date("2026-03-01T12:00:00Z"), until: new Date("2026-03-03T12:00:00Z") },
];

async function answers(w: UsageWorld, context: Partial<UsageContext> = {}): Promise<UsageReport[]> {
  const all: UsageReport[] = [];
  for (const question of questions)
    all.push(await reportUsage({ configDir: w.configDir, home: w.home, prices, ...context }, question));
  return all;
}

/** The same, counted from the files alone. */
function truth(w: UsageWorld, given: PriceOverrides = prices): Promise<UsageReport[]> {
  return answers(w, { home: path.join(tempDir(), "fresh"), prices: given });
}

function indexFile({ home }: UsageWorld): string {
  return path.join(home, "index", "index.db");
}

function execute(w: UsageWorld, sql: string): void {
  const database = new DatabaseSync(indexFile(w));
  database.exec(sql);
  database.close();
}

/** Two sessions, a fork of the first, which has more of its last message, and a sub-agent; all of it counted. */
async function countedWorld(): Promise<UsageWorld & { original: string; fork: string }> {
  const w = usageWorld();
  const at = (day: number) => (line: object) => ({ ...line, timestamp: `2026-03-0${day}T10:00:00.000Z` });
  const lines = [...answerLines("1", [1, 2]).map(at(1)), ...answerLines("2", [10]).map(at(2))];
  const original = w.write("-p/original.jsonl", lines);
  const fork = w.write("-q/fork.jsonl", [
    ...lines,
    ...answerLines("2", [20]).map(at(2)),
    ...answerLines("3", [100]).map(at(3)),
  ]);
  w.write("-p/alone.jsonl", answerLines("4", [1000], { model: "other" }).map(at(3)));
  w.write("-p/original/subagents/agent-a1.jsonl", answerLines("5", [10_000]).map(at(3)));
  await answers(w);
  return { ...w, original, fork };
}

/** Gives the rows of two files of a folder each other's paths. */
const EXCHANGE = `UPDATE files SET path = 'x' WHERE part = 'usage' AND path LIKE '%/-p/original.jsonl';
  UPDATE files SET path = replace(path, 'alone', 'original') WHERE part = 'usage' AND path LIKE '%/-p/alone.jsonl';
  UPDATE files SET path = (SELECT replace(path, 'original', 'alone') FROM files WHERE path LIKE '%/-p/original.jsonl')
    WHERE path = 'x'`;

function append(file: string, lines: readonly object[]): void {
  fs.appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

describe("what is kept of usage", () => {
  test("gives a message to the next file when the oldest that has it is gone, and takes larger counts from copies", async () => {
    const w = await countedWorld();
    const bySession = async (): Promise<unknown> =>
      Object.fromEntries(
        (await w.report("session")).rows.map(({ key, outputTokens }) => [key, outputTokens]),
      );
    expect(await bySession()).toEqual({ alone: 1000, fork: 100, original: 10_022 });
    append(w.fork, answerLines("1", [7]));
    expect(await bySession()).toEqual({ alone: 1000, fork: 100, original: 10_027 });
    fs.rmSync(w.original);
    expect(await bySession()).toEqual({ alone: 1000, fork: 127, original: 10_000 });
  });

  test("is what counting anew gives, after every change of many", { timeout: 120_000 }, async () => {
    const random = seededRandom(Date.now() % 1_000_000_000);
    const w = usageWorld();
    const files = new Map<string, object[]>();
    for (let step = 0; step < 60; step++) {
      const change = changeSomething(w, files, random);
      const holding =
        random.between(0, 9) === 0 ? { ...prices, other: { input: 0, output: step * 1e6 } } : prices;
      const where = { seed: random.seed, step, change };
      expect({ where, answers: await answers(w, { prices: holding }) }).toEqual({
        where,
        answers: await truth(w, holding),
      });
    }
  });

  const lies: [string, string][] = [
    ["other sizes", "UPDATE files SET size = size + 1"],
    ["other stamps", "UPDATE files SET stamp = 7"],
    ["rows of other files, though the sums of their folder fit", EXCHANGE],
    ["other ends", "UPDATE files SET covered = 0, size = 0"],
    ["messages that are no JSON", "UPDATE file_data SET data = '[1'"],
    [
      "messages of another shape",
      "UPDATE file_data SET data = (SELECT json_array(path, 7) FROM files WHERE id = file)",
    ],
    ["messages of another file", "UPDATE file_data SET data = (SELECT max(data) FROM file_data)"],
    ["no messages", "DELETE FROM file_data"],
    ["no cells", "DELETE FROM usage_cells"],
    ["cells of no file", "UPDATE usage_cells SET file = file + 1000"],
    [
      "more cells",
      "INSERT INTO usage_cells SELECT day || 'x', model, 0, file, 1,1,1,1,1,1,1,1,1 FROM usage_cells",
    ],
    ["cells of other files", "UPDATE usage_cells SET file = 5 - file"],
    ["other numbers", "UPDATE usage_cells SET outputTokens = 1"],
    ["other numbers that few have", "UPDATE usage_cells SET cacheWrite5mTokens = 1, placeholders = 7"],
    ["other days", "UPDATE usage_cells SET day = '2020' || substr(day, 5)"],
    ["other models", "UPDATE usage_cells SET model = 'other'"],
    [
      "messages of other models",
      "UPDATE file_data SET data = replace(data, 'claude', 'clyde'); UPDATE usage_state SET checksum = 0",
    ],
    ["no keys", "DELETE FROM usage_keys"],
    ["no state", "DELETE FROM usage_state"],
    ["no files", "DELETE FROM files"],
    ["other paths", "UPDATE files SET path = path || 'x'"],
    ["a table less", "DROP TABLE IF EXISTS usage_keys"],
    ["no version", "PRAGMA user_version = 0"],
    ["an older version", "PRAGMA user_version = -1"],
  ];
  test.each(lies)("does no harm with %s", async (_, sql) => {
    const w = await countedWorld();
    execute(w, sql);
    expect(await answers(w)).toEqual(await truth(w));
    execute(w, sql);
    append(w.fork, answerLines("1", [5]));
    append(w.original, answerLines("2", [50]));
    const expected = await truth(w);
    expect(await answers(w)).toEqual(expected);
    expect(await answers(w)).toEqual(expected);
  });

  test("counts a message once when the row of a file that has it, too, is of none, though the sums of its folder fit", async () => {
    const w = await countedWorld();
    execute(w, "UPDATE files SET path = path || 'x' WHERE path LIKE '%/original.jsonl'");
    append(w.fork, answerLines("1", [5]));
    expect(await answers(w)).toEqual(await truth(w));
  });

  test("is made anew after damage, and left alone in a newer version; both are said", async () => {
    const w = await countedWorld();
    const expected = await truth(w);
    const troubles: IndexTrouble[] = [];
    const onIndexTrouble = (trouble: IndexTrouble): unknown => troubles.push(trouble);
    fs.writeFileSync(indexFile(w), Buffer.alloc(9000, "no database"));
    expect(await answers(w, { onIndexTrouble })).toEqual(expected);
    expect(troubles).toEqual(["damaged"]);
    execute(w, "PRAGMA user_version = 99");
    const before = fs.readFileSync(indexFile(w));
    expect(await answers(w, { onIndexTrouble })).toEqual(expected);
    expect(new Set(troubles)).toEqual(new Set(["damaged", "newer"]));
    expect(fs.readFileSync(indexFile(w)).equals(before)).toBe(true);
  });

  test("is not needed: without a place to keep it, or while another writes, the files are counted", async () => {
    const w = await countedWorld();
    append(w.fork, answerLines("1", [5]));
    const expected = await truth(w);
    const troubles: IndexTrouble[] = [];
    const onIndexTrouble = (trouble: IndexTrouble): unknown => troubles.push(trouble);
    const other = new DatabaseSync(indexFile(w));
    other.exec("BEGIN IMMEDIATE");
    const question = { by: "session" } as const;
    const context = { configDir: w.configDir, home: w.home, prices, onIndexTrouble };
    expect(await reportUsage(context, question)).toEqual(expected[3]);
    expect(troubles).toEqual(["busy"]);
    other.close();
    fs.rmSync(path.dirname(indexFile(w)), { recursive: true });
    fs.writeFileSync(path.dirname(indexFile(w)), "a file where the folder should be");
    expect(await answers(w, { onIndexTrouble })).toEqual(expected);
    expect(new Set(troubles)).toEqual(new Set(["busy", "unwritable"]));
  });

  test("is not written over by a process that looked at it before another wrote", async () => {
    const w = await countedWorld();
    append(w.original, answerLines("6", [5]));
    const changed = { ...prices, other: { input: 0, output: 1e6 } };
    const context = { configDir: w.configDir, home: w.home, prices: changed };
    // Called when the file that grew has been read, and nothing is written yet.
    const onProgress = (): void => {
      w.write("-p/new.jsonl", answerLines("7", [50]));
      runProgram("report-usage", [w.configDir, w.home, JSON.stringify(changed)]);
    };
    await reportUsage(context, { by: "day", onProgress });
    expect(await answers(w, { prices: changed })).toEqual(await truth(w, changed));
  });

  test("is whole or not there after a kill at any moment", { timeout: 60_000 }, async () => {
    const random = seededRandom(Date.now() % 1_000_000_000);
    const w = await countedWorld();
    for (let round = 0; round < 5; round++) {
      append(w.fork, answerLines("1", [round * 10]));
      for (let file = 0; file < 50; file++)
        w.write(`-r${round}/${file}.jsonl`, answerLines(`${round} ${file}`, [1]));
      const program = startProgram("report-usage", [w.configDir, w.home, JSON.stringify(prices)]);
      await waitFor(() => program.lines.includes("started"), { timeoutMs: 30_000 });
      const killAt = performance.now() + random.between(0, 60);
      await waitFor(() => performance.now() > killAt || program.lines.length > 1, { timeoutMs: 30_000 });
      program.kill();
      await program.ended();
      const where = { seed: random.seed, round, errors: program.errors };
      expect({ where, answers: await answers(w) }).toEqual({
        where: { ...where, errors: [] },
        answers: await truth(w),
      });
    }
  });

  test("is the truth when several reports write it at once, and files change meanwhile", async () => {
    const w = await countedWorld();
    for (let round = 0; round < 5; round++) {
      append(w.fork, answerLines("1", [round * 10]));
      const reports = Array.from({ length: 4 }, () => answers(w));
      append(w.original, answerLines(`new ${round}`, [round]));
      await Promise.all(reports);
      expect(await answers(w)).toEqual(await truth(w));
    }
  });
});

const changes = [
  "grow",
  "grow",
  "grow",
  "again",
  "again",
  "create",
  "fork",
  "fork",
  "rewrite",
  "remove",
  "tear",
] as const;

/** One change of the transcripts, as clients, people and accidents make them. Returns what it was. */
function changeSomething(w: UsageWorld, files: Map<string, object[]>, random: SeededRandom): string {
  const between = (min: number, max: number): number => random.between(min, max);
  const name = [...files.keys()][between(0, files.size - 1)];
  const change = name === undefined ? "create" : changes[between(0, changes.length - 1)]!;
  const lines = files.get(name ?? "") ?? [];
  const put = (to: string, content: object[]): void => {
    files.set(to, content);
    w.write(to, content);
  };
  const grow = (by: object[]): void => {
    append(path.join(w.configDir, "projects", name!), by);
    files.set(name!, [...lines, ...by]);
  };
  const number = between(0, 1e9);
  const newName = [
    `-p1/${number}.jsonl`,
    `-p2/agent-${number}.jsonl`,
    `-p1/s/subagents/agent-${number}.jsonl`,
  ];
  switch (change) {
    case "create":
      put(newName[between(0, 2)]!, randomAnswer(random));
      break;
    case "fork":
      put(newName[0]!, [...lines.slice(0, between(0, lines.length)), ...randomAnswer(random)]);
      break;
    case "rewrite":
      put(name!, lines.slice(between(0, lines.length)));
      break;
    case "remove":
      files.delete(name!);
      fs.rmSync(path.join(w.configDir, "projects", name!));
      break;
    case "tear":
      fs.appendFileSync(path.join(w.configDir, "projects", name!), '{"type":"assistant","mess');
      break;
    case "again":
      grow(lines.slice(0, 1).map((line) => withMore(line, between(1, 100))));
      break;
    case "grow":
      grow(randomAnswer(random));
  }
  return `${change} ${name}`;
}

function randomAnswer(random: SeededRandom): object[] {
  const between = (min: number, max: number): number => random.between(min, max);
  const outputs = Array.from({ length: between(1, 3) }, () => between(1, 100));
  const lines = answerLines(String(between(0, 1e9)), outputs, {
    model: ["claude-opus-4-6", "other", "unknown"][between(0, 2)],
    stop: between(0, 1) === 0 ? null : "end_turn",
    text: "x".repeat(between(1, 900)),
  });
  const timestamp = `2026-03-0${between(1, 4)}T${between(10, 19)}:00:00.000Z`;
  const isSidechain = between(0, 4) === 0;
  const sessionId = `s${between(1, 3)}`;
  const when = between(0, 9) > 0 ? { timestamp } : {};
  return lines.map((line) => Object.assign(line, { sessionId, isSidechain }, when));
}

function withMore(line: object, output: number): object {
  const { message } = line as { message: { usage: { output_tokens: number } } };
  const usage = { ...message.usage, output_tokens: message.usage.output_tokens + output };
  return { ...line, message: { ...message, usage } };
}
