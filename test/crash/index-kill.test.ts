import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { describeIndex, searchSessions, updateIndex } from "../../src/search/index.ts";
import { seededRandom, startProgram, tempDir, waitFor } from "../support/index.ts";

// More by INDEX_KILL_ROUNDS=100.
const ROUNDS = Number(process.env["INDEX_KILL_ROUNDS"] ?? 4);
const FILES = 12;
const LINES = 300;

test(
  `updateIndex() loses and doubles nothing when its process is killed ${ROUNDS} times`,
  { timeout: 60_000 + ROUNDS * 20_000 },
  async () => {
    const seed = Date.now() % 1_000_000_000;
    const random = seededRandom(seed);
    const dir = tempDir();
    const context = { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
    const project = path.join(context.configDir, "projects", "-p");
    fs.mkdirSync(project, { recursive: true });
    let cutShort = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // Every round has something to take in, so that every kill can hit a transaction.
      for (let file = 0; file < FILES; file++)
        fs.appendFileSync(path.join(project, `s${file}.jsonl`), lines(round, file));
      const program = startProgram("update-index", [context.configDir, context.home]);
      await waitFor(() => program.lines.includes("started") || program.errors.length > 0, {
        timeoutMs: 30_000,
      });
      const killAt = performance.now() + random.between(1, 600);
      await waitFor(() => performance.now() > killAt || program.lines.length > 1, { timeoutMs: 30_000 });
      program.kill();
      await program.ended();
      expect({ seed, errors: program.errors }).toEqual({ seed, errors: [] });
      if (program.lines.length === 1) cutShort++;
      // Half an index tells the truth, too.
      expect({ seed, total: (await searchSessions(context, `round${round}`)).total }).toEqual({
        seed,
        total: FILES * LINES,
      });
    }
    const { documents } = await updateIndex(context);
    expect({ seed, documents }).toEqual({ seed, documents: ROUNDS * FILES * LINES });
    expect(describeIndex(context)).toMatchObject({ files: FILES, missingBytes: 0 });
    for (let round = 0; round < ROUNDS; round++) {
      const { total, scannedBytes } = await searchSessions(context, `round${round}`);
      expect({ seed, total, scannedBytes }).toEqual({ seed, total: FILES * LINES, scannedBytes: 0 });
    }
    process.stdout.write(`index kills, seed ${seed}: ${cutShort} of ${ROUNDS} cut an update short\n`);
  },
);

test("searchSessions() finds the same while another process indexes", { timeout: 120_000 }, async () => {
  const dir = tempDir();
  const context = { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
  const project = path.join(context.configDir, "projects", "-p");
  fs.mkdirSync(project, { recursive: true });
  // Several pieces of one file, so that a search may meet half of it in the index.
  const content = Array.from({ length: 40 }, (_, round) => lines(round, 0)).join("");
  fs.writeFileSync(path.join(project, "s.jsonl"), content.repeat(3));
  const program = startProgram("update-index", [context.configDir, context.home]);
  const ended = program.ended();
  const totals = new Set<number>();
  do {
    totals.add((await searchSessions(context, "round7")).total);
    // Else nobody would hear that it has ended.
    await new Promise(setImmediate);
  } while (program.child.exitCode === null && program.child.signalCode === null);
  expect(await ended).toEqual({ code: 0, signal: null });
  expect([...totals]).toEqual([3 * LINES]);
});

function lines(round: number, file: number): string {
  return Array.from({ length: LINES }, (_, line) => {
    const content = `round${round} file${file} line${line} ${"some words that fill the line ".repeat(12)}`;
    return `${JSON.stringify({ type: "user", uuid: `${round}-${file}-${line}`, message: { role: "user", content } })}\n`;
  }).join("");
}
