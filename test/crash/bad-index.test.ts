import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { holdfastPaths } from "../../src/format/paths.ts";
import { examineTranscripts } from "../../src/health/transcripts/examine-transcripts.ts";
import { getSummary, listSessions } from "../../src/store/list/list-sessions.ts";
import { sampleSession, seededRandom, testHome, TranscriptBuilder, type TestHome } from "../support/index.ts";

// More by BAD_INDEX_ROUNDS=1000.
const ROUNDS = Number(process.env["BAD_INDEX_ROUNDS"] ?? 150);
/** Of one that a newer version made, nothing is changed. */
const NEWER = { first: ["newer"], second: ["newer"] };

// A bad index can do no harm: whatever stands in it, a list and the doctor say what the files say.

interface World extends TestHome {
  indexFile: string;
  /** The index as it should be. */
  good: Buffer;
  sessions: { sessionId: string; projectKey: string; path: string }[];
  truth: unknown;
}

let world: World;

beforeAll(async () => {
  const home = testHome();
  const sessions = Array.from({ length: 8 }, (_, number) => {
    const session = number === 0 ? sampleSession({ cwd: "/work/a" }) : small(number);
    return session.write(home.configDir);
  });
  fs.appendFileSync(sessions[1]!.path, '{"type":"user","mess\n');
  fs.appendFileSync(sessions[2]!.path, "nonsense\n");
  const indexFile = path.join(holdfastPaths(home.home).indexDir, "index.db");
  world = { ...home, indexFile, sessions, good: Buffer.alloc(0), truth: undefined };
  world.truth = (await ask({ ...world, home: testHome().home })).answers;
  await ask();
  world.good = fs.readFileSync(indexFile);
});

function small(number: number): TranscriptBuilder {
  const session = new TranscriptBuilder({ seed: `bad index ${number}`, cwd: `/work/${"abc"[number % 3]}` });
  for (let message = 0; message <= number; message++)
    session.prompt(`prompt ${message} of ${number} · ünïcödé`);
  return session;
}

/** Everything that is asked of these parts of the index, each as a process of its own would. */
async function ask({ configDir, home, sessions }: World = world): Promise<{
  answers: unknown;
  troubles: string[];
}> {
  const troubles = new Set<string>();
  const onIndexTrouble = (trouble: string): void => void troubles.add(trouble);
  const context = { configDir, indexDir: holdfastPaths(home).indexDir, onIndexTrouble };
  const answers = {
    newest: listSessions(context, { limit: 3 }),
    glanced: listSessions(context, { counts: false }),
    summaries: sessions.map((session) => getSummary(context, session)),
    all: listSessions(context),
    health: await examineTranscripts({ configDir, home, onIndexTrouble }),
  };
  return { answers, troubles: [...troubles] };
}

/** Puts the good index back, spoils it, and asks twice. */
async function askAfter(spoil: () => void): Promise<{ first: string[]; second: string[] }> {
  fs.rmSync(path.dirname(world.indexFile), { recursive: true, force: true });
  fs.mkdirSync(path.dirname(world.indexFile), { recursive: true, mode: 0o700 });
  fs.writeFileSync(world.indexFile, world.good);
  spoil();
  const first = await ask();
  expect(first.answers).toEqual(world.truth);
  const second = await ask();
  expect(second.answers).toEqual(world.truth);
  return { first: first.troubles, second: second.troubles };
}

function execute(sql: string): void {
  const database = new DatabaseSync(world.indexFile);
  database.exec(sql);
  database.close();
}

const lies: [string, string][] = [
  ["sizes are wrong", "UPDATE files SET size = size + 1"],
  ["sizes are no numbers", "UPDATE files SET size = 'many'"],
  ["times are wrong", "UPDATE files SET mtime = mtime - 1000"],
  ["inodes are wrong", "UPDATE files SET inode = 7"],
  ["stamps are wrong", "UPDATE files SET stamp = stamp + 1"],
  ["all is covered", "UPDATE files SET covered = size + 1000"],
  ["nothing is covered", "UPDATE files SET covered = 0"],
  ["fingerprints are wrong", "UPDATE files SET head = 'x', tail = 'x'"],
  [
    "values belong to other files",
    "UPDATE file_data SET file = -file; UPDATE file_data SET file = 20 + file",
  ],
  ["paths belong to other files", rotate("path")],
  [
    "values of a list are those of the doctor",
    "UPDATE files SET part = 'x' WHERE part = 'listing'; UPDATE files SET part = 'listing' WHERE part = 'health'; UPDATE files SET part = 'health' WHERE part = 'x'",
  ],
  ["values are gone", "DELETE FROM file_data"],
  ["files are gone", "DELETE FROM files"],
  ["values are no JSON", "UPDATE file_data SET data = 'no JSON'"],
  ["values are JSON of something else", "UPDATE file_data SET data = '{}'"],
  ["values are null", "UPDATE file_data SET data = 'null'"],
  ["values are numbers", "UPDATE file_data SET data = 7"],
  ["values are bytes", "UPDATE file_data SET data = randomblob(100)"],
  ["values are cut off", "UPDATE file_data SET data = substr(data, 1, length(data) - 3)"],
  [
    "counts in values are other ones",
    "UPDATE file_data SET data = replace(data, '\"messageCount\":', '\"messageCount\":1')",
  ],
  ["values name other sizes", "UPDATE file_data SET data = replace(data, ',', ',1')"],
];

function rotate(column: string): string {
  return `CREATE TEMP TABLE t AS SELECT id, ${column} AS v FROM files; UPDATE files SET ${column} = id || 'x';
    UPDATE files SET ${column} = (SELECT v FROM t WHERE t.id = (files.id + 1) % 9 LIMIT 1) WHERE id < 8`;
}

describe("a list and the doctor say what the files say", () => {
  test("when nothing is wrong with the index, which is one file", async () => {
    expect((await ask()).answers).toEqual(world.truth);
    expect(fs.readdirSync(path.dirname(world.indexFile))).toEqual(["index.db"]);
  });

  test.each(lies)("when %s", async (_what, sql) => {
    expect(await askAfter(() => execute(sql))).toEqual({ first: [], second: [] });
  });

  const damages: [string, () => void][] = [
    ["is random bytes", () => fs.writeFileSync(world.indexFile, Buffer.alloc(20_000, "random"))],
    ["is cut off", () => fs.truncateSync(world.indexFile, 5000)],
    ["lost a table", () => execute("DROP TABLE file_data")],
    [
      "has ids that no number holds",
      () =>
        execute(
          "UPDATE files SET id = id + 4611686018427387904; UPDATE file_data SET file = file + 4611686018427387904",
        ),
    ],
    ["has all tables, but no version", () => execute("PRAGMA user_version = 0")],
  ];
  test.each(damages)("when the index %s, and that is made anew", async (_what, spoil) => {
    expect(await askAfter(spoil)).toEqual({ first: ["damaged"], second: [] });
  });

  test("when the index is empty, or another version's", async () => {
    expect(await askAfter(() => fs.truncateSync(world.indexFile, 0))).toEqual({ first: [], second: [] });
    expect(await askAfter(() => execute("PRAGMA user_version = -3"))).toEqual({ first: [], second: [] });
    expect(await askAfter(() => execute("PRAGMA user_version = 99"))).toEqual(NEWER);
    expect(await askAfter(() => fs.writeFileSync(`${world.indexFile}-wal`, "no log"))).toEqual({
      first: [],
      second: [],
    });
  });

  test("when a file grew and the index claims to know it as it is", async () => {
    const { path: file } = world.sessions[3]!;
    const before = { bytes: fs.readFileSync(file), stat: fs.statSync(file), truth: world.truth };
    try {
      fs.appendFileSync(file, '{"type":"user"}\n{"type":"tag","tag":"grown"}\n');
      world.truth = (await ask({ ...world, home: testHome().home })).answers;
      expect(world.truth).not.toEqual(before.truth);
      const { size, mtimeMs } = fs.statSync(file);
      const sql = `UPDATE files SET size = ${size}, mtime = ${mtimeMs}, covered = ${size}`;
      expect(await askAfter(() => execute(sql))).toEqual({ first: [], second: [] });
    } finally {
      world.truth = before.truth;
      fs.writeFileSync(file, before.bytes);
      fs.utimesSync(file, before.stat.atimeMs / 1000, before.stat.mtimeMs / 1000);
    }
  });

  test("when any byte of the index is another one", { timeout: 60_000 + ROUNDS * 500 }, async () => {
    const random = seededRandom(Date.now() % 1_000_000_000);
    for (let round = 0; round < ROUNDS; round++) {
      const at = random.between(0, world.good.length - 1);
      const spoiled = Buffer.from(world.good);
      spoiled[at] = spoiled[at]! ^ random.between(1, 255);
      const troubles = await askAfter(() => fs.writeFileSync(world.indexFile, spoiled)).catch(
        (error: unknown) => {
          throw new Error(`seed ${random.seed}, byte ${at}`, { cause: error });
        },
      );
      const expected = troubles.second.length > 0 ? NEWER : troubles;
      expect({ at, troubles }).toEqual({ at, troubles: expected });
    }
  });
});
