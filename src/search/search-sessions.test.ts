import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import {
  sampleSession,
  seededRandom,
  type SeededRandom,
  tempDir,
  threadCount,
  TranscriptBuilder,
} from "../../test/support/index.ts";
import { slowMatch, slowWords, typed, type SlowQuery } from "../../test/support/slow-search.ts";
import { openArchive } from "../store/archive/index.ts";
import {
  describeIndex,
  searchSessions,
  updateIndex,
  type SearchOptions,
  type SearchResult,
} from "./index.ts";

interface World {
  configDir: string;
  home: string;
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  update(): Promise<number>;
}

function makeWorld(): World {
  const dir = tempDir();
  const context = { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
  return {
    ...context,
    search: (query, options) => searchSessions(context, query, options),
    update: async () => (await updateIndex(context)).bytes,
  };
}

/** The same question without an index and with one. */
async function bothWays(world: World, query: string, options?: SearchOptions): Promise<string[][]> {
  const uuids = ({ hits }: SearchResult): string[] => hits.map(({ uuid }) => uuid ?? "").sort();
  const scanned = uuids(await world.search(query, options));
  await world.update();
  const indexed = await world.search(query, options);
  expect(indexed).toMatchObject({ scannedBytes: 0, hasIndex: true });
  return [scanned, uuids(indexed)];
}

describe("searchSessions()", () => {
  test("gives each hit with where it is, who said it and what it says", async () => {
    const world = makeWorld();
    const builder = new TranscriptBuilder({ cwd: "/p" });
    const asked = builder.prompt("Why does parseTaskOutput() fail?\n\nIt worked before.");
    builder.reply("No idea.");
    const session = builder.write(world.configDir);
    expect(await world.search("taskOutput")).toEqual({
      hits: [
        {
          sessionId: session.sessionId,
          cwd: "/p",
          project: session.projectKey,
          uuid: asked.uuid,
          agentId: null,
          taskId: null,
          role: "user",
          type: "user",
          timestamp: asked["timestamp"],
          snippet: "Why does parseTaskOutput() fail? It worked before.",
          highlights: [{ start: 14, end: 24 }],
          score: expect.any(Number) as number,
          path: session.path,
        },
      ],
      total: 1,
      scannedBytes: fs.statSync(session.path).size,
      hasIndex: false,
      unindexed: [expect.objectContaining({ path: session.path, sessionId: session.sessionId })],
    });
  });

  test("finds by parts of identifiers, phrases, beginnings, and in scripts without spaces", async () => {
    const world = makeWorld();
    const builder = new TranscriptBuilder({ cwd: "/p" });
    const said = new Map<string, string>();
    for (const text of [
      "readSessionFile",
      "read_session_file",
      "file of a session",
      "漢字のテスト",
      "Größe",
      "sessions",
    ])
      said.set(text, builder.prompt(text).uuid!);
    builder.write(world.configDir);
    const uuids = (...texts: string[]): string[] => texts.map((text) => said.get(text)!).sort();
    const cases: [string, string[]][] = [
      ["session file", uuids("readSessionFile", "read_session_file", "file of a session")],
      ['"session file"', uuids("readSessionFile", "read_session_file")],
      ["readsessionfile", uuids("readSessionFile")],
      ["session*", uuids("readSessionFile", "read_session_file", "file of a session", "sessions")],
      ["session NOT read", uuids("file of a session")],
      ["sessions OR größe", uuids("sessions", "Größe")],
      ["字の", uuids("漢字のテスト")],
      ["字漢", []],
    ];
    for (const [query, expected] of cases)
      expect([query, ...(await bothWays(world, query))]).toEqual([query, expected, expected]);
  });

  test("filters by project, time, role, tool and type", async () => {
    const world = makeWorld();
    const builder = new TranscriptBuilder({ cwd: "/p", startedAt: "2026-03-01T00:00:00.000Z" });
    const prompt = builder.prompt("needle").uuid!;
    const [answer] = builder.reply("needle");
    const { uses, results } = builder.callTools(
      { name: "Bash", input: { command: "echo needle" }, result: "needle" },
      { name: "Read", input: { file_path: "/needle" }, result: "needle" },
    );
    builder.write(world.configDir);
    const later = new TranscriptBuilder({ cwd: "/q", seed: "later", startedAt: "2026-05-01T00:00:00.000Z" });
    const other = later.prompt("needle").uuid!;
    later.write(world.configDir);
    const cases: [SearchOptions, string[]][] = [
      [{ role: "user" }, [prompt, other]],
      [{ role: "assistant" }, [answer!.uuid!, uses[0]!.uuid!, uses[1]!.uuid!]],
      [{ role: "tool" }, [results[0]!.uuid!, results[1]!.uuid!]],
      [{ tool: "Bash" }, [uses[0]!.uuid!, results[0]!.uuid!]],
      [{ tool: "bash" }, []],
      [{ type: "assistant", tool: "Read" }, [uses[1]!.uuid!]],
      [{ project: "/q" }, [other]],
      [{ since: new Date("2026-04-01") }, [other]],
    ];
    for (const [options, expected] of cases)
      expect([options, ...(await bothWays(world, "needle", options))]).toEqual([
        options,
        expected.sort(),
        expected.sort(),
      ]);
  });

  test("knows the tool of a result whose call was taken in long before", async () => {
    const world = makeWorld();
    const builder = new TranscriptBuilder({ cwd: "/p" });
    const { results } = builder.callTools({ name: "Bash", input: {}, result: "needle" });
    const file = builder.write(world.configDir).path;
    const lines = fs.readFileSync(file, "utf8").split("\n");
    fs.writeFileSync(file, `${lines[0]}\n`);
    await world.update();
    fs.writeFileSync(file, lines.join("\n"));
    await world.update();
    const { hits } = await world.search("needle", { tool: "Bash" });
    expect(hits.map(({ uuid }) => uuid ?? "")).toEqual([results[0]!.uuid]);
  });

  test("finds titles, queued prompts, sub-agents and what is in the archive", async () => {
    const world = makeWorld();
    const session = sampleSession({ cwd: "/p" }).write(world.configDir);
    const found = async (query: string): Promise<unknown> =>
      (await world.search(query)).hits.map(({ type, agentId }) => [type, agentId !== null]);
    expect(await found("title OR fix parser -why -asked")).toEqual([["custom-title", false]]);
    expect(await found('"look at the tests too"')).toEqual([["queue-operation", false]]);
    expect(await found('"one caller" -agentId')).toContainEqual(["assistant", true]);
    const before = (await world.search("caller")).hits.map(({ uuid }) => uuid ?? "");
    const archive = openArchive({ configDir: world.configDir, home: world.home });
    const { sessionId, projectKey } = session;
    await archive.add([{ sessionId, projectKey, path: session.path }]);
    archive.close();
    expect(fs.existsSync(session.path)).toBe(false);
    for (let round = 0; round < 2; round++) {
      expect((await world.search("caller")).hits.map(({ uuid }) => uuid ?? "").sort()).toEqual(before.sort());
      await world.update();
    }
  });

  test("never matches nor shows a secret, and finds what stands beside it", async () => {
    const world = makeWorld();
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const builder = new TranscriptBuilder({ cwd: "/p" });
    builder.prompt(`my token ${secret} works`);
    builder.prompt(`${"long ".repeat(13_100)}${secret} ${"tail ".repeat(20_000)}`);
    builder.write(world.configDir);
    for (let round = 0; round < 2; round++) {
      expect((await world.search(secret)).total).toBe(0);
      expect((await world.search("a1*", { isRegex: false })).total).toBe(0);
      expect((await world.search("ghp_a1B2", { isRegex: true })).total).toBe(0);
      const { hits } = await world.search("token works");
      expect(hits.map(({ snippet }) => snippet)).toEqual(["my token [redacted github] works"]);
      await world.update();
    }
    const database = fs.readFileSync(path.join(world.home, "index", "index.db"));
    expect(database.includes("a1b2c3d4")).toBe(false);
  });

  test("puts the better match first, and of two alike the newer one", async () => {
    const world = makeWorld();
    const builder = new TranscriptBuilder({ cwd: "/p", startedAt: "2026-01-01T00:00:00.000Z" });
    const old = builder.prompt("needle in a stack").uuid;
    const weak = builder.prompt(`needle ${"and much else besides ".repeat(200)}`).uuid;
    builder.write(world.configDir);
    const later = new TranscriptBuilder({ cwd: "/p", seed: "later", startedAt: "2026-02-01T00:00:00.000Z" });
    const recent = later.prompt("needle in a stack").uuid;
    later.write(world.configDir);
    for (let round = 0; round < 2; round++) {
      expect((await world.search("needle")).hits.map(({ uuid }) => uuid ?? "")).toEqual([recent, old, weak]);
      await world.update();
    }
    expect(await world.search("needle", { limit: 1 })).toMatchObject({ hits: [{ uuid: recent }], total: 3 });
  });

  test("gives as many hits as are asked for, however many", async () => {
    const world = makeWorld();
    const builder = new TranscriptBuilder({ cwd: "/p" });
    for (let count = 0; count < 1200; count++) builder.prompt(`needle ${count}`);
    builder.write(world.configDir);
    for (const found of await bothWays(world, "needle", { limit: 1100 })) expect(found).toHaveLength(1100);
  });

  test("looks through much on several threads, which are gone afterwards, also when it is stopped", async () => {
    const world = makeWorld();
    const said: string[] = [];
    for (const cwd of ["/p", "/q", "/r"]) {
      const builder = new TranscriptBuilder({ cwd, seed: cwd });
      said.push(builder.prompt("where the needle is").uuid!);
      const { path: file } = builder.write(world.configDir);
      const line = `${JSON.stringify({ type: "system", content: "hay and needles ".repeat(2000) })}\n`;
      for (let i = 0; i < 300; i++) fs.appendFileSync(file, line);
      const last = builder.prompt("another needle");
      fs.appendFileSync(file, `${JSON.stringify(last)}\n`);
      said.push(last.uuid!);
    }
    const before = threadCount();
    const found = await world.search("needle");
    expect(found).toMatchObject({ total: 6, hasIndex: false });
    expect(new Set(found.hits.map(({ uuid }) => uuid))).toEqual(new Set(said));
    const stop = new AbortController();
    const stopped = world.search("needle", {
      signal: stop.signal,
      onProgress: () => {
        stop.abort();
      },
    });
    await expect(stopped).rejects.toThrow(/aborted/);
    expect(threadCount()).toBe(before);
  });

  test("takes regular expressions, and refuses what is none", async () => {
    const world = makeWorld();
    sampleSession({ cwd: "/p" }).write(world.configDir);
    const { hits } = await world.search("caller.{1,9}null", { isRegex: true });
    expect(hits[0]).toMatchObject({ role: "assistant", highlights: [{ start: 4, end: 22 }] });
    await expect(world.search("(", { isRegex: true })).rejects.toMatchObject({ code: "query_invalid" });
  });

  test(
    "finds the same as a slow search of everything, without an index, with half of one, and with a whole one",
    { timeout: 120_000 },
    async () => {
      const seed = Date.now() % 1_000_000;
      const random = seededRandom(seed);
      const world = makeWorld();
      const texts = new Map<string, string>();
      const files = Array.from({ length: 6 }, (_, index) => writeRandom(world, random, { index, texts }));
      const queries = Array.from({ length: 200 }, () => randomQuery(random));
      const check = async (state: string): Promise<void> => {
        for (const query of queries) {
          const { hits, total } = await world.search(typed(query), { limit: 10_000 });
          const expected = [...texts]
            .filter(([, text]) => slowMatch(query, slowWords(text)))
            .map(([uuid]) => uuid);
          const found = { hits: hits.map(({ uuid }) => uuid ?? "").sort(), total };
          expect({ seed, state, query: typed(query), found }).toEqual({
            seed,
            state,
            query: typed(query),
            found: { hits: expected.sort(), total: expected.length },
          });
        }
      };
      await check("no index");
      await world.update();
      await check("a whole index");
      // One file grew, one is rewritten, one is gone, one is new.
      appendRandom(files[0]!, random, texts);
      forgetFile(files[1]!, texts);
      files[1] = writeRandom(world, random, { index: 1, texts });
      forgetFile(files[2]!, texts);
      fs.rmSync(files[2]!);
      writeRandom(world, random, { index: 7, texts });
      await check("half an index");
      await world.update();
      await check("a whole index again");
    },
  );
});

describe("updateIndex()", () => {
  test("takes in only what was appended, and nothing when nothing was", async () => {
    const world = makeWorld();
    const file = sampleSession({ cwd: "/p", rounds: 20 }).write(world.configDir).path;
    const context = { configDir: world.configDir, home: world.home };
    expect(describeIndex(context)).toMatchObject({ files: 0, documents: 0, indexBytes: 0 });
    const all = await world.update();
    expect(await world.update()).toBe(0);
    const line = `${JSON.stringify({ type: "user", uuid: "u", message: { role: "user", content: "appended" } })}\n`;
    fs.appendFileSync(file, line);
    expect(await world.update()).toBe(line.length);
    expect(all).toBeGreaterThan(fs.statSync(file).size - line.length);
    expect(describeIndex(context)).toMatchObject({ missingBytes: 0 });
  });

  test("waits for the rest of a line that is not whole", async () => {
    const world = makeWorld();
    const file = new TranscriptBuilder({ cwd: "/p" }).write(world.configDir).path;
    const line = JSON.stringify({
      type: "user",
      uuid: "u",
      message: { role: "user", content: "slowly written" },
    });
    fs.appendFileSync(file, line.slice(0, -20));
    await world.update();
    expect((await world.search("slowly")).total).toBe(0);
    fs.appendFileSync(file, line.slice(-20));
    expect((await world.search("slowly")).total).toBe(1);
    await world.update();
    fs.appendFileSync(file, "\n");
    await world.update();
    expect((await world.search("slowly")).total).toBe(1);
  });

  test("builds anew what is damaged or of another version", async () => {
    const world = makeWorld();
    sampleSession({ cwd: "/p" }).write(world.configDir);
    const indexDir = path.join(world.home, "index");
    fs.mkdirSync(indexDir, { recursive: true, mode: 0o700 });
    fs.writeFileSync(
      path.join(indexDir, "index.db"),
      "this is no database, whatever its name says".repeat(100),
    );
    const { total } = await world.search("parser");
    expect(await world.update()).toBeGreaterThan(0);
    expect(await world.search("parser")).toMatchObject({ total, scannedBytes: 0 });
  });

  test.each([
    ["words", "DELETE FROM words"],
    ["documents", "DELETE FROM documents"],
    ["documents and words", "DELETE FROM documents; DELETE FROM words"],
    ["rows of files", "DELETE FROM files"],
    ["rows of files, but not the sums of their folder", "UPDATE files SET path = path || '.gone'"],
    ["stamps", "UPDATE files SET stamp = 7"],
  ])("does no harm when it has lost its %s", async (_, lie) => {
    const world = makeWorld();
    sampleSession({ cwd: "/p" }).write(world.configDir);
    await world.update();
    const { total } = await world.search("parser");
    expect(total).toBeGreaterThan(0);
    const database = new DatabaseSync(path.join(world.home, "index", "index.db"));
    database.exec(lie);
    database.close();
    expect(await world.search("parser")).toMatchObject({ total });
    expect(await world.search("parser")).toMatchObject({ total });
  });

  test("is refused while another process does it, and leaves nothing behind when it is stopped", async () => {
    const world = makeWorld();
    sampleSession({ cwd: "/p" }).write(world.configDir);
    const stopped = updateIndex(world, { signal: AbortSignal.abort() });
    await expect(updateIndex(world)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/^Cannot write the search index: locked by pid \d+$/) as string,
    });
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    expect(await world.update()).toBeGreaterThan(0);
  });
});

const vocabulary = (
  "parse Task output parseTaskOutput HTTPServer http server read_file readFile src/store/list.ts list " +
  "session Session sessionId session_id 漢字 漢 字 テスト größe Größe straße naïve 42 v2 sha256 sha256Sum e2e --json"
).split(" ");

function pick<T>(random: SeededRandom, items: readonly T[]): T {
  return items[random.between(0, items.length - 1)]!;
}

function randomText(random: SeededRandom): string {
  const separators = [" ", " ", ", ", "\n", "\t", " — ", "“", '" ', "\\", ".", "/", "_"];
  return Array.from(
    { length: random.between(1, 12) },
    () => pick(random, vocabulary) + pick(random, separators),
  ).join("");
}

function randomQuery(random: SeededRandom, depth = 0): SlowQuery {
  const kind = depth > 1 ? 0 : random.between(0, 7);
  if (kind === 6) return { any: [randomQuery(random, depth + 1), randomQuery(random, depth + 1)] };
  if (kind === 7) {
    const all = [randomQuery(random, depth + 1), randomQuery(random, depth + 1)];
    return random.next() < 0.5 ? { all } : { all, not: randomQuery(random, depth + 1) };
  }
  if (kind === 5) return { words: `${pick(random, vocabulary)} ${pick(random, vocabulary)}`, isPhrase: true };
  const words = pick(random, vocabulary).replace(/^-+/, "");
  return kind === 4 ? { words: words.slice(0, random.between(1, words.length)), isPrefix: true } : { words };
}

function writeRandom(
  world: World,
  random: SeededRandom,
  { index, texts }: { index: number; texts: Map<string, string> },
): string {
  const builder = new TranscriptBuilder({ cwd: "/p", seed: `random ${index}`, sessionId: `s${index}` });
  const file = builder.write(world.configDir).path;
  fs.writeFileSync(file, "");
  appendRandom(file, random, texts);
  return file;
}

function appendRandom(file: string, random: SeededRandom, texts: Map<string, string>): void {
  for (let count = random.between(5, 20); count > 0; count--) {
    const uuid = `${path.basename(file)} ${random.between(0, 2 ** 40)}`;
    const text = randomText(random);
    texts.set(uuid, text);
    fs.appendFileSync(
      file,
      `${JSON.stringify({ type: "user", uuid, message: { role: "user", content: text } })}\n`,
    );
  }
}

function forgetFile(file: string, texts: Map<string, string>): void {
  for (const uuid of texts.keys()) if (uuid.startsWith(`${path.basename(file)} `)) texts.delete(uuid);
}
