import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sampleSession, tempDir } from "../../../test/support/index.ts";
import type { IndexTrouble } from "../index/derived-index.ts";
import { KnownFacts } from "./known-facts.ts";
import { gatherFacts, type SessionFacts } from "./session-facts.ts";
import { statTranscript } from "./transcript-files.ts";

let file: string;
let indexDir: string;

beforeEach(() => {
  file = path.join(tempDir(), "session.jsonl");
  indexDir = path.join(tempDir(), "home", "index");
  fs.writeFileSync(file, sampleSession().jsonl());
});

interface Asked {
  facts: Partial<SessionFacts> | undefined;
  troubles: IndexTrouble[];
}

/** As a process does that asks for one file, or reads the index as a whole, and keeps what it learnt. */
function ask({ isWhole = false, counts = true, keeps = true } = {}): Asked {
  const troubles: IndexTrouble[] = [];
  const known = new KnownFacts({ indexDir, onIndexTrouble: (trouble) => troubles.push(trouble) });
  try {
    if (isWhole) known.readBelow(path.dirname(file));
    const facts = known.of(statTranscript(file, "project")!, { counts });
    if (keeps) known.keep({ wereAllAsked: isWhole });
    return { facts, troubles };
  } finally {
    known.close();
  }
}

function gatherAnew(): SessionFacts {
  const fd = fs.openSync(file, "r");
  try {
    return gatherFacts(fd).facts;
  } finally {
    fs.closeSync(fd);
  }
}

test.each([true, false])("KnownFacts knows a file without opening it, whole index %s", (isWhole) => {
  const { facts } = ask();
  const expected = gatherAnew();
  const stat = statTranscript(file, "project")!;
  fs.rmSync(file);
  const known = new KnownFacts({ indexDir });
  if (isWhole) known.readBelow(path.dirname(file));
  expect([facts, known.of(stat, { counts: true })]).toEqual([expected, expected]);
  known.close();
});

const changes: [string, () => void][] = [
  ["grew", () => fs.appendFileSync(file, '{"type":"user"}\n')],
  ["shrank", () => fs.truncateSync(file, 500)],
  ["was touched", () => fs.utimesSync(file, 1000, 1000)],
  [
    "grew, but not at its end",
    () => fs.writeFileSync(file, `{"type":"user"}\n${fs.readFileSync(file, "utf8")}`),
  ],
  [
    "was replaced by one of the same size and time",
    () => {
      const { atime, mtime } = fs.statSync(file);
      const text = fs.readFileSync(file, "utf8").replace("Fix the parser", "Fix the carver");
      fs.writeFileSync(`${file}.new`, text);
      fs.utimesSync(`${file}.new`, atime, mtime);
      fs.renameSync(`${file}.new`, file);
    },
  ],
];
test.each(
  changes.flatMap(([what, change]) => [true, false].map((isWhole) => [what, isWhole, change] as const)),
)("KnownFacts tells the truth of a file that %s, whole index %s, and keeps it", (_what, isWhole, change) => {
  ask();
  change();
  const truth = { facts: gatherAnew(), troubles: [] };
  expect([ask({ isWhole }), ask({ isWhole })]).toEqual([truth, truth]);
});

test("KnownFacts goes on behind what it knows of a file that grew", () => {
  ask();
  const { size } = fs.statSync(file);
  fs.appendFileSync(file, '{"type":"user"}\n');
  const expected = gatherAnew();
  const read = watchReads();
  const { facts } = ask();
  read.stop();
  expect(facts).toEqual(expected);
  // Its head and what stood before its old end are looked at again, not what is between.
  expect(read.bytes).toBeLessThan(size);
});

function watchReads(): { bytes: number; stop: () => void } {
  const { readSync } = fs;
  const watch = { bytes: 0, stop: () => void (fs.readSync = readSync) };
  fs.readSync = ((...args: Parameters<typeof readSync>) => {
    const got = readSync(...args);
    watch.bytes += got;
    return got;
  }) as typeof readSync;
  return watch;
}

test("KnownFacts keeps nothing of a glance, which has no counts", () => {
  ask({ counts: false });
  expect(fs.existsSync(indexDir)).toBe(false);
});

test("KnownFacts without an index folder reads the file", () => {
  const known = new KnownFacts({});
  known.readBelow(path.dirname(file));
  expect(known.of(statTranscript(file, "project")!, { counts: true })).toEqual(gatherAnew());
  known.keep({ wereAllAsked: true });
  known.close();
});

test.each<[string, () => void]>([
  ["is a file", () => (fs.mkdirSync(path.dirname(indexDir)), fs.writeFileSync(indexDir, ""))],
  ["is a link", () => (fs.mkdirSync(path.dirname(indexDir)), fs.symlinkSync(path.dirname(file), indexDir))],
  ["cannot be made", () => fs.writeFileSync(path.dirname(indexDir), "")],
])("KnownFacts says so and writes nothing when the index folder %s", (_what, block) => {
  block();
  expect(ask()).toEqual({ facts: gatherAnew(), troubles: ["unwritable"] });
  expect(fs.readdirSync(path.dirname(file))).toEqual(["session.jsonl"]);
});
