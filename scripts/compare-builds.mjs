// npm run test:compare -- CLONE [--after CLONE] [--corpus DIR | --config DIR] [--megabytes N] [--words N] [--show N] [--seed N]:
// asks an older build, in CLONE, and this clone's (or the one in --after) the same questions about the same tasks and
// transcripts, and says where their answers differ. Both clones must be built. The transcripts are copies of a corpus
// (../shared/corpus, where it is there) or of a config folder, and a generated gigabyte (--megabytes 0: none).
// Exit code 0 if all answers are equal, 1 if one differs, 2 for bad usage.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeCorpus } from "../bench/support/corpus/write-corpus.ts";
import { openBuild } from "../test/compare/build.ts";
import { compareTasks } from "../test/compare/compare-tasks.ts";
import { compareTranscripts } from "../test/compare/compare-transcripts.ts";
import { layCorpus } from "../test/compare/lay-corpus.ts";
import { dressCorpus } from "../test/recall/dress-corpus.ts";
import { seededRandom } from "../test/support/seeded-random.ts";
import { sharedCorpus } from "../test/support/shared-corpus.ts";

const options = readArguments();
const scratchDir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-compare-"));
let compared = 0;
let differing = 0;
try {
  process.stdout.write("ended tasks\n");
  compareTasks(openComparison(path.join(scratchDir, "tasks")));
  for (const { name, write } of corpora()) {
    const dir = path.join(scratchDir, "corpus");
    process.stdout.write(`${name}, seed ${options.seed}\n`);
    const comparison = openComparison(dir);
    write(comparison.configDir);
    compareTranscripts({
      ...comparison,
      searchedWords: options.words,
      shownSessions: options.show,
      random: seededRandom(options.seed),
    });
    fs.rmSync(dir, { recursive: true });
  }
} finally {
  fs.rmSync(scratchDir, { recursive: true, force: true });
}
process.stdout.write(`${compared} answers compared, ${differing} differ\n`);
process.exitCode = differing > 0 || compared === 0 ? 1 : 0;

function openComparison(dir) {
  const configDir = path.join(dir, "config");
  fs.mkdirSync(dir);
  const open = (name, clone) => openBuild(name, { clone, configDir, scratchDir: dir });
  return {
    before: open("before", options.before),
    after: open("after", options.after),
    configDir,
    scratchDir: dir,
    onCompared: tell,
  };
}

function tell(title, difference) {
  compared++;
  if (difference !== undefined) differing++;
  process.stdout.write(
    difference === undefined ? `  equal   ${title}\n` : `  DIFFER  ${title}\n          ${difference}\n`,
  );
}

function corpora() {
  const { config, corpus, megabytes } = options;
  const list = [];
  if (config !== undefined)
    list.push({ name: config, write: (dir) => fs.cpSync(config, dir, { recursive: true }) });
  else if (corpus)
    list.push(
      { name: "real transcripts", write: (dir) => layCorpus(corpus, dir) },
      {
        name: "real transcripts with words in them",
        write: (dir) => dressCorpus(corpus, dir, seededRandom(options.seed)),
      },
    );
  else process.stdout.write("the real transcripts (../shared/corpus) are not on this machine: left out\n");
  const sessions = Math.max(20, 2 * megabytes);
  const parameters = {
    seed: options.seed,
    bytes: megabytes * 1e6,
    sessions,
    agents: sessions / 4,
    layout: "mixed",
  };
  if (megabytes > 0)
    list.push({ name: `${megabytes} MB generated`, write: (dir) => writeCorpus(dir, parameters) });
  return list;
}

function readArguments() {
  const count = (fallback) => ({ type: "string", default: String(fallback) });
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        after: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
        config: { type: "string" },
        corpus: { type: "string", default: sharedCorpus() },
        megabytes: count(1000),
        words: count(50),
        show: count(10),
        seed: count(1),
      },
    });
    const numbers = Object.fromEntries(
      ["megabytes", "words", "show", "seed"].map((name) => [name, Number(values[name])]),
    );
    if (positionals.length !== 1) throw new TypeError("give one clone to compare with");
    if (!Object.values(numbers).every((number) => Number.isInteger(number) && number >= 0))
      throw new TypeError("counts are whole numbers");
    if (numbers.words < 3) throw new TypeError("give at least three words to search for");
    return { ...values, ...numbers, before: path.resolve(positionals[0]), after: path.resolve(values.after) };
  } catch (error) {
    process.stderr.write(`compare: ${error.message}\n`);
    process.stderr.write(
      "usage: npm run test:compare -- CLONE [--after CLONE] [--corpus DIR | --config DIR] [--megabytes N] [--words N] [--show N] [--seed N]\n",
    );
    process.exit(2);
  }
}
