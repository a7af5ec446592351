import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { describeIndex, searchSessions, updateIndex } from "../../src/search/index.ts";
import { runProgram, seededRandom, startProgram, tempDir, waitFor } from "../support/index.ts";

// More by INDEX_KILL_ROUNDS=100.
const KILLS = Number(process.env["INDEX_KILL_ROUNDS"] ?? 4);
const FILES = 12;
const LINES = 300;

test(
  `updateIndex() loses and doubles nothing when its process is killed ${KILLS} times`,
  { timeout: 60_000 + KILLS * 20_000 },
  async () => {
    const seed = Date.now() % 1_000_000_000;
    const random = seededRandom(seed);
    const dir = tempDir();
    const context = { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
    const project = path.join(context.configDir, "projects", "-p");
    fs.mkdirSync(project, { recursive: true });
    let kills = 0;
    let rounds = 0;
    // Only what cuts an update short counts. The first one is let be: it tells how long one takes.
    for (let updateMs = Infinity; kills < KILLS; rounds++) {
      // Every round has something to take in, so that every kill can hit a transaction.
      for (let file = 0; file < FILES; file++)
        fs.appendFileSync(path.join(project, `s${file}.jsonl`), lines(rounds, file));
      const program = startProgram("update-index", [context.configDir, context.home]);
      await waitFor(() => program.lines.includes("started") || program.errors.length > 0, {
        timeoutMs: 30_000,
      });
      const startedAt = performance.now();
      const killAt = startedAt + (updateMs < Infinity ? random.between(1, Math.ceil(updateMs)) : Infinity);
      await waitFor(() => performance.now() > killAt || program.lines.length > 1, { timeoutMs: 30_000 });
      program.kill();
      await program.ended();
      expect({ seed, errors: program.errors }).toEqual({ seed, errors: [] });
      if (program.lines.length === 1) kills++;
      else updateMs = 1.2 * (performance.now() - startedAt);
      // Half an index tells the truth, too.
      expect({ seed, total: (await searchSessions(context, `round${rounds}`)).total }).toEqual({
        seed,
        total: FILES * LINES,
      });
    }
    const { documents } = await updateIndex(context);
    expect({ seed, documents }).toEqual({ seed, documents: rounds * FILES * LINES });
    expect(describeIndex(context)).toMatchObject({ files: FILES, missingBytes: 0 });
    for (let round = 0; round < rounds; round++) {
      const { total, scannedBytes } = await searchSessions(context, `round${round}`);
      expect({ seed, total, scannedBytes }).toEqual({ seed, total: FILES * LINES, scannedBytes: 0 });
    }
    process.stdout.write(`index kills, seed ${seed}: ${kills} updates cut short, ${rounds - kills} not\n`);
  },
);

test("searchSessions() finds the same when another process indexes between its plan and its question", async () => {
  const dir = tempDir();
  const context = { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
  const project = path.join(context.configDir, "projects", "-p");
  fs.mkdirSync(project, { recursive: true });
  const file = (name: string): string => path.join(project, `${name}.jsonl`);
  fs.writeFileSync(file("grows"), lines(0, 0));
  fs.writeFileSync(file("goes"), lines(0, 1));
  await updateIndex(context);
  fs.appendFileSync(file("grows"), lines(0, 2));
  let updates = 0;
  const { total, scannedBytes } = await searchSessions(context, "round0", {
    // What is not indexed has just been looked through; the index has not been asked yet.
    onProgress: () => {
      if (updates++ > 0) return;
      // The file that comes takes the place, and the number, of the one that goes.
      fs.rmSync(file("goes"));
      runProgram("update-index", [context.configDir, context.home]);
      fs.writeFileSync(file("comes"), lines(0, 3));
      runProgram("update-index", [context.configDir, context.home]);
    },
  });
  expect({ updates, total, scannedBytes }).toEqual({
    updates: 1,
    total: 3 * LINES,
    scannedBytes: Buffer.byteLength(lines(0, 2)),
  });
  expect(await searchSessions(context, "round0")).toMatchObject({ total: 3 * LINES, scannedBytes: 0 });
});

function lines(round: number, file: number): string {
  return Array.from({ length: LINES }, (_, line) => {
    const content = `round${round} file${file} line${line} ${"some words that fill the line ".repeat(12)}`;
    return `${JSON.stringify({ type: "user", uuid: `${round}-${file}-${line}`, message: { role: "user", content } })}\n`;
  }).join("");
}
