import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sampleSession, tempDir } from "../../test/support/index.ts";
import { ListingCache } from "./listing-cache.ts";
import { gatherFacts, type SessionFacts } from "./session-facts.ts";
import { statTranscript, type TranscriptFile } from "./transcript-files.ts";

let file: string;
let indexDir: string;

beforeEach(() => {
  file = path.join(tempDir(), "session.jsonl");
  indexDir = path.join(tempDir(), "home", "index");
  fs.writeFileSync(file, sampleSession().jsonl());
});

const cacheFile = (): string => path.join(indexDir, "sessions.json");
const transcript = (): TranscriptFile => statTranscript(file, "project")!;
const isGone = (): boolean => false;

function gather(cache: ListingCache): SessionFacts {
  const fd = fs.openSync(file, "r");
  try {
    return cache.gather(file, fd);
  } finally {
    fs.closeSync(fd);
  }
}

function gatherAnew(): SessionFacts {
  const fd = fs.openSync(file, "r");
  try {
    return gatherFacts(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function keep(): SessionFacts {
  const cache = new ListingCache(indexDir);
  const facts = gather(cache);
  cache.keep(isGone);
  return facts;
}

test("ListingCache knows without opening a file what another process kept of it, and keeps it privately", () => {
  const facts = keep();
  expect(new ListingCache(indexDir).findCurrent(transcript())).toEqual(facts);
  expect([cacheFile(), indexDir].map((name) => fs.statSync(name).mode & 0o777)).toEqual([0o600, 0o700]);
});

test.each<[string, () => void]>([
  ["grew", () => fs.appendFileSync(file, '{"type":"user"}\n')],
  ["shrank", () => fs.truncateSync(file, 500)],
  ["was touched", () => fs.utimesSync(file, 1000, 1000)],
  [
    "was replaced by one of the same size and time",
    () => {
      const { atime, mtime } = fs.statSync(file);
      fs.writeFileSync(
        `${file}.new`,
        fs.readFileSync(file, "utf8").replace("Fix the parser", "Fix the carver"),
      );
      fs.utimesSync(`${file}.new`, atime, mtime);
      fs.renameSync(`${file}.new`, file);
    },
  ],
])("ListingCache gathers anew when the file %s", (_what, change) => {
  keep();
  change();
  const cache = new ListingCache(indexDir);
  expect([cache.findCurrent(transcript()), gather(cache)]).toEqual([undefined, gatherAnew()]);
});

test.each([
  ["empty", ""],
  ["torn", '{"version":1,"sessions":{"'],
  ["not an object", "[]"],
  ["null", "null"],
  ["of another version", '{"version":0,"sessions":{}}'],
  ["without sessions", '{"version":1}'],
  ["about no sessions", '{"version":1,"sessions":null}'],
  ["about a list", '{"version":1,"sessions":[1]}'],
])("ListingCache starts anew when what was kept is %s", (_what, content) => {
  keep();
  fs.writeFileSync(cacheFile(), content);
  const cache = new ListingCache(indexDir);
  expect([cache.findCurrent(transcript()), gather(cache)]).toEqual([undefined, gatherAnew()]);
});

test.each([null, 7, {}, { coverage: null }, { coverage: 1 }, { coverage: {} }])(
  "ListingCache gathers anew what was kept as %j",
  (facts) => {
    keep();
    fs.writeFileSync(cacheFile(), JSON.stringify({ version: 1, sessions: { [file]: facts } }));
    const cache = new ListingCache(indexDir);
    expect([cache.findCurrent(transcript()), gather(cache)]).toEqual([undefined, gatherAnew()]);
  },
);

test("keep() forgets what is gone, and writes nothing when nothing was learnt", () => {
  keep();
  const before = fs.statSync(cacheFile()).mtimeMs;
  const idle = new ListingCache(indexDir);
  gather(idle);
  idle.keep(() => true);
  expect([fs.statSync(cacheFile()).mtimeMs, new ListingCache(indexDir).findCurrent(transcript())]).toEqual([
    before,
    expect.anything(),
  ]);
  fs.appendFileSync(file, '{"type":"user"}\n');
  const cache = new ListingCache(indexDir);
  gather(cache);
  cache.keep((known) => known === file);
  expect(JSON.parse(fs.readFileSync(cacheFile(), "utf8"))).toEqual({ version: 1, sessions: {} });
});

test.each<[string, () => void]>([
  ["is a file", () => (fs.mkdirSync(path.dirname(indexDir)), fs.writeFileSync(indexDir, ""))],
  ["is a link", () => (fs.mkdirSync(path.dirname(indexDir)), fs.symlinkSync(path.dirname(file), indexDir))],
  ["cannot be made", () => fs.writeFileSync(path.dirname(indexDir), "")],
])("keep() leaves everything as it is when the index folder %s", (_what, block) => {
  block();
  expect(keep()).toEqual(gatherAnew());
  expect(fs.readdirSync(path.dirname(file))).toEqual(["session.jsonl"]);
});

test("ListingCache without an index folder keeps nothing", () => {
  const cache = new ListingCache(undefined);
  expect(gather(cache)).toEqual(gatherAnew());
  cache.keep(isGone);
  expect(cache.findCurrent(transcript())).toEqual(gatherAnew());
});
