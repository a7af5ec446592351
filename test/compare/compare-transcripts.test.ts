import path from "node:path";
import { expect, test } from "vitest";
import { writeCorpus } from "../../bench/support/corpus/write-corpus.ts";
import { seededRandom, tempDir } from "../support/index.ts";
import type { Build } from "./build.ts";
import { compareTranscripts } from "./compare-transcripts.ts";
import { findDifference } from "./find-difference.ts";

function scriptedBuild(name: Build["name"], { tokens, score }: { tokens: number; score: number }): Build {
  const answers: Record<string, unknown> = {
    usage: { rows: [{ key: "2026-03-01", outputTokens: tokens, costUsd: 0.1 + 0.2 }] },
    sessions: { sessions: [] },
    doctor: { checks: [{ name: "disk", group: "environment", status: "ok", summary: name, findings: [] }] },
    search: { hits: [{ uuid: null, score, sessionId: "s", project: "p", path: "/s" }], total: 1 },
    index: { files: 1, documents: 2, missingBytes: 0, indexBytes: tokens },
  };
  return { name, ask: ([command = ""]) => ({ code: 0, json: answers[command] }) };
}

function compare(before: Build, after: Build): { compared: number; differing: string[] } {
  const scratchDir = tempDir();
  const configDir = path.join(scratchDir, "config");
  writeCorpus(configDir, { seed: 1, bytes: 400_000, sessions: 40, agents: 4, layout: "mixed" });
  const titles: string[] = [];
  const differing: string[] = [];
  compareTranscripts({
    before,
    after,
    configDir,
    scratchDir,
    searchedWords: 3,
    shownSessions: 1,
    random: seededRandom(1),
    onCompared: (title, difference) => {
      titles.push(title);
      if (difference !== undefined) differing.push(`${title}: ${difference}`);
    },
  });
  return { compared: titles.length, differing };
}

test("compareTranscripts() finds no difference where answers are equal, machine and index size apart", () => {
  const { compared, differing } = compare(
    scriptedBuild("before", { tokens: 7, score: 1.5 }),
    scriptedBuild("after", { tokens: 7, score: 1.5 }),
  );
  expect(differing).toEqual([]);
  expect(compared).toBeGreaterThan(100);
});

test("compareTranscripts() reports one token more at every question about usage, and nothing else", () => {
  const { differing } = compare(
    scriptedBuild("before", { tokens: 7, score: 1.5 }),
    scriptedBuild("after", { tokens: 8, score: 1.5 }),
  );
  // Six kinds of rows, with and without a day, at five moments.
  expect(differing).toHaveLength(60);
  expect(differing[0]).toBe(
    "nothing kept: usage --by day: answer.json.rows.0.outputTokens is 7 before, 8 after",
  );
});

test("compareTranscripts() reports a build that gives no answer, also where the other gives none", () => {
  const silent = (name: Build["name"]): Build => ({
    name,
    ask: ([command = ""], home) => {
      if (command === "search") throw new Error(`the build ${name} gave no answer`);
      return scriptedBuild(name, { tokens: 7, score: 1.5 }).ask([command], home);
    },
  });
  const { differing } = compare(silent("before"), silent("after"));
  expect(new Set(differing.map((line) => line.split(": ").at(-1)))).toEqual(
    new Set(["the build before gave no answer"]),
  );
});

test("findDifference() allows only fractions to differ, and only in their last digits", () => {
  expect(findDifference({ a: [0.1 + 0.2] }, { a: [0.3] })).toBe(undefined);
  expect(findDifference({ a: 1e15 }, { a: 1e15 + 1 })).toBe(
    "answer.a is 1000000000000000 before, 1000000000000001 after",
  );
  expect(findDifference({ a: 1.5 }, { a: 1.501 })).toBe("answer.a is 1.5 before, 1.501 after");
  expect(findDifference({}, { a: null })).toBe("answer.a is absent before, null after");
  expect(findDifference([1, 2], [1])).toBe("answer has 2 items before, 1 after");
  expect(findDifference([], {})).toBe("answer is [] before, {} after");
});
