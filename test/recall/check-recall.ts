import { searchSessions, updateIndex } from "../../src/search/index.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import { slowMatch, slowWords, typed, type SlowQuery } from "../support/slow-search.ts";
import { randomQuery } from "./random-queries.ts";
import { slowDocuments, slowTranscripts } from "./slow-documents.ts";

export interface RecallCheck {
  configDir: string;
  /** An empty folder for the index. */
  home: string;
  queries: number;
  /** Queries that are also asked before there is an index: each looks through everything. */
  scannedQueries: number;
  random: SeededRandom;
  onStep?: (text: string) => void;
}

export interface Recall {
  documents: number;
  queries: number;
  /** Queries that find something, and what all of them find together. */
  finding: number;
  matches: number;
  problems: string[];
}

/** Of a query that finds more, only the number is compared: reading every hit would take days. */
const HITS_COMPARED_MAX = 2000;

/** Asks random queries of real words without an index and with a whole one, and holds the answers against a slow search. */
export async function checkRecall(check: RecallCheck): Promise<Recall> {
  const { configDir, home, random, onStep = () => {} } = check;
  const files = slowTranscripts(configDir);
  const texts = await sampleTexts(files, random);
  const queries = Array.from({ length: check.queries }, () => randomQuery(random, texts));
  onStep(`slow search of ${files.length} transcripts`);
  const { expected, documents } = await searchSlowly(files, queries);
  const problems: string[] = [];
  const ask = async (state: string, { count }: { count: number }): Promise<void> => {
    onStep(`${count} queries, ${state}`);
    for (const [index, { query, matches }] of expected.slice(0, count).entries()) {
      if (index > 0 && index % 50 === 0) onStep(`  ${index} done`);
      const problem = await compare({ configDir, home }, query, matches);
      if (problem !== undefined) problems.push(`${state}: ${typed(query)}: ${problem}`);
    }
  };
  await ask("no index", { count: check.scannedQueries });
  onStep("index");
  await updateIndex({ configDir, home });
  await ask("a whole index", { count: queries.length });
  const counts = expected.map(({ matches }) => matches.length);
  return {
    documents,
    queries: queries.length,
    finding: counts.filter((count) => count > 0).length,
    matches: counts.reduce((sum, count) => sum + count, 0),
    problems,
  };
}

const SAMPLED_FILES = 200;
const SAMPLED_TEXTS = 20;

/** Texts of many files, so that queries are about all of them. */
async function sampleTexts(files: readonly string[], random: SeededRandom): Promise<string[]> {
  const texts: string[] = [];
  for (let count = 0; count < SAMPLED_FILES; count++) {
    const documents = await slowDocuments(files[random.between(0, files.length - 1)]!);
    for (let index = 0; index < SAMPLED_TEXTS && documents.length > 0; index++)
      texts.push(documents[random.between(0, documents.length - 1)]!.text);
  }
  return texts;
}

interface Expected {
  query: SlowQuery;
  /** Who matches: an entry by its uuid, a line without one by its transcript. */
  matches: string[];
}

async function searchSlowly(
  files: readonly string[],
  queries: readonly SlowQuery[],
): Promise<{ expected: Expected[]; documents: number }> {
  const expected = queries.map((query): Expected => ({ query, matches: [] }));
  let documents = 0;
  for (const file of files) {
    for (const { text, uuid, path } of await slowDocuments(file)) {
      documents++;
      const words = slowWords(text);
      for (const { query, matches } of expected) if (slowMatch(query, words)) matches.push(uuid ?? path);
    }
  }
  return { expected, documents };
}

async function compare(
  context: { configDir: string; home: string },
  query: SlowQuery,
  matches: readonly string[],
): Promise<string | undefined> {
  const isCompared = matches.length <= HITS_COMPARED_MAX;
  const { hits, total } = await searchSessions(context, typed(query), {
    limit: isCompared ? HITS_COMPARED_MAX : 1,
  });
  if (total !== matches.length) return `finds ${total} instead of ${matches.length}`;
  if (!isCompared) return undefined;
  const found = new Set(hits.map(({ uuid, path }) => uuid ?? path!));
  const missing = matches.find((match) => !found.has(match));
  if (missing !== undefined) return `does not find ${missing}`;
  const wrong = [...found].find((match) => !matches.includes(match));
  return wrong === undefined ? undefined : `finds ${wrong}, which does not match`;
}
