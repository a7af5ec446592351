// npm run test:recall [-- QUERIES [SEED]]: holds searches of the generated gigabyte, and of the real transcripts where they
// are, against a slow search that shares no code with ours: 200 random queries each unless told otherwise.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openManySessions } from "../bench/benches/many-sessions.ts";
import { FULL_SCALE } from "../bench/support/measure.ts";
import { checkRecall } from "../test/recall/check-recall.ts";
import { dressCorpus } from "../test/recall/dress-corpus.ts";
import { seededRandom } from "../test/support/seeded-random.ts";
import { sharedCorpus } from "../test/support/shared-corpus.ts";

const [queries = "200", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
if (!(Number(queries) > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write("usage: npm run test:recall [-- QUERIES [SEED]]\n");
  process.exit(2);
}

// A query that is answered without an index reads everything; a tenth of them are asked so, too.
const scannedQueries = Math.ceil(Number(queries) / 10);

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-recall-"));
let problems = 0;
try {
  const corpus = sharedCorpus();
  if (corpus) {
    const configDir = path.join(dir, "config");
    dressCorpus(corpus, configDir, seededRandom(Number(seed)));
    await check("real transcripts", configDir);
  } else process.stdout.write("the real transcripts (../shared/corpus) are not on this machine: left out\n");
  const cacheDir = fileURLToPath(new URL("../.cache/bench", import.meta.url));
  const { configDir } = openManySessions({ scale: FULL_SCALE, cacheDir, scratchDir: dir });
  await check("generated gigabyte", configDir);
} finally {
  fs.rmSync(dir, { recursive: true });
}
process.exit(problems > 0 ? 1 : 0);

async function check(name, configDir) {
  process.stdout.write(`${name}: seed ${seed}, ${queries} queries\n`);
  const result = await checkRecall({
    configDir,
    home: fs.mkdtempSync(path.join(dir, "home-")),
    queries: Number(queries),
    scannedQueries,
    random: seededRandom(Number(seed)),
    onStep: (text) => process.stdout.write(`  ${text}\n`),
  });
  for (const problem of result.problems) process.stdout.write(`  ${problem}\n`);
  process.stdout.write(
    `${name}: ${result.documents} entries, ${result.queries} queries, of which ${result.finding} find ${result.matches} in all: ${result.problems.length} differ\n`,
  );
  problems += result.problems.length;
}
