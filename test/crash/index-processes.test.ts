import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { holdfastPaths } from "../../src/format/paths.ts";
import { listSessions } from "../../src/store/list/list-sessions.ts";
import { seededRandom, startProgram, testHome, waitFor } from "../support/index.ts";

const PROCESSES = 20;
const SESSIONS = 12;
const ROUNDS_EACH = 3;

test(
  `${PROCESSES} processes that list growing sessions are right, also when half of them are killed`,
  { timeout: 240_000 },
  async () => {
    const random = seededRandom(Date.now() % 1_000_000_000);
    const { configDir, home } = testHome();
    const { indexDir } = holdfastPaths(home);
    const dir = path.join(configDir, "projects", "-p");
    fs.mkdirSync(dir, { recursive: true });
    const files = Array.from({ length: SESSIONS }, (_, number) => path.join(dir, `s${number}.jsonl`));
    const grow = (): void => {
      for (const file of files)
        fs.appendFileSync(file, `{"type":"user","text":"${"x".repeat(random.between(0, 2000))}"}\n`);
    };
    grow();
    const programs = Array.from({ length: PROCESSES }, () => startProgram("list-often", [configDir, home]));
    const doomed = programs.slice(0, PROCESSES / 2);
    const survivors = programs.slice(PROCESSES / 2);
    try {
      // Each is killed at a moment of its own, after its first list.
      for (const program of doomed) {
        await waitFor(() => program.lines.length > 0 || program.errors.length > 0, { timeoutMs: 60_000 });
        for (let times = random.between(1, 20); times > 0; times--) grow();
        program.kill();
      }
      for (const program of survivors) {
        const before = program.lines.length;
        await waitFor(
          () => (grow(), program.lines.length >= before + ROUNDS_EACH || program.errors.length > 0),
          { timeoutMs: 60_000 },
        );
      }
    } finally {
      for (const program of survivors) program.hangUp();
      const endings = await Promise.all(programs.map((program) => program.ended()));
      const errors = programs.flatMap((program) => program.errors);
      expect({ seed: random.seed, errors }).toEqual({ seed: random.seed, errors: [] });
      expect(endings.filter(({ code }) => code === 0)).toHaveLength(survivors.length);
    }
    const said = new Set(programs.flatMap(({ lines }) => lines));
    process.stdout.write(`lists beside each other: ${[...said].join(", ")}\n`);
    // Who waits too long for others keeps nothing, which harms nobody. There is no other trouble.
    expect([...said].filter((line) => !/^listed( busy)?$/.test(line))).toEqual([]);
    expect(integrity(path.join(indexDir, "index.db"))).toBe("ok");
    const listed = listSessions({ configDir, indexDir });
    const lines = (file: string): number => fs.readFileSync(file, "utf8").split("\n").length - 1;
    expect(new Map(listed.map((each) => [each.path, each.messageCount]))).toEqual(
      new Map(files.map((file) => [file, lines(file)])),
    );
  },
);

function integrity(file: string): unknown {
  const database = new DatabaseSync(file);
  const found = database.prepare("PRAGMA integrity_check").get();
  database.close();
  return found?.["integrity_check"];
}
