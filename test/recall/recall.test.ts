import path from "node:path";
import { expect, test } from "vitest";
import { requireSharedCorpus, seededRandom, tempDir } from "../support/index.ts";
import { checkRecall } from "./check-recall.ts";
import { dressCorpus } from "./dress-corpus.ts";

// More, and of a gigabyte: npm run test:recall.
const QUERIES = 40;

test(
  `searchSessions() finds what a slow search of the real transcripts finds, for ${QUERIES} random queries`,
  { timeout: 300_000 },
  async (context) => {
    const corpus = requireSharedCorpus(context);
    const dir = tempDir();
    const configDir = path.join(dir, "config");
    const random = seededRandom(Date.now() % 1_000_000_000);
    const { seed } = random;
    dressCorpus(corpus, configDir, random);
    const { problems, finding } = await checkRecall({
      configDir,
      home: path.join(dir, "home"),
      queries: QUERIES,
      scannedQueries: QUERIES / 4,
      random,
    });
    expect({ seed, problems }).toEqual({ seed, problems: [] });
    expect(finding).toBeGreaterThan(QUERIES / 2);
  },
);
