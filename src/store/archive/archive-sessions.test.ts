import fs from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { crashAt } from "../../../test/support/crash-at.ts";
import { testHome, TranscriptBuilder, type TestHome } from "../../../test/support/index.ts";
import { treeOf } from "../../../test/support/tree-of.ts";
import { packBytesMax } from "./limits.ts";
import { configPaths, holdfastPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import type { SessionRef } from "../list/find-session.ts";
import { openSessionStore } from "../open-session-store.ts";
import type { SessionStore } from "../session-store.ts";
import type { AddedSessions, ArchiveOptions } from "./archive-sessions.ts";

interface World extends TestHome {
  store: SessionStore;
  archiveDir: string;
  sessions: SessionRef[];
}

/** A home with so many small sessions, each with a to-do list, in one project. */
function world(count: number): World {
  const home = testHome();
  const sessions = Array.from({ length: count }, (_, number): SessionRef => {
    const builder = new TranscriptBuilder({ cwd: home.cwd, seed: `session ${number}` });
    builder.prompt(`Question ${number}`);
    builder.reply(`Answer ${number}`);
    const { sessionId, projectKey, path: file } = builder.write(home.configDir);
    const todos = configPaths(home.configDir).todosPath({ sessionId, agentId: sessionId });
    fs.mkdirSync(path.dirname(todos), { recursive: true });
    fs.writeFileSync(todos, `[${number}]`);
    return { sessionId, projectKey, path: file };
  });
  const { archiveDir } = holdfastPaths(home.home);
  return { ...home, sessions, archiveDir, store: openSessionStore(home) };
}

async function add(
  { store, sessions }: Pick<World, "store" | "sessions">,
  options?: ArchiveOptions,
): Promise<AddedSessions> {
  const archive = await store.openArchive();
  try {
    return await archive.add(sessions, options);
  } finally {
    archive.close();
  }
}

async function restore({ store }: Pick<World, "store">, sessions: readonly SessionRef[]): Promise<void> {
  const archive = await store.openArchive();
  try {
    for (const { sessionId } of sessions) archive.restore(sessionId);
  } finally {
    archive.close();
  }
}

function storeWith(it: World, files: FileOps): SessionStore {
  return openSessionStore({ ...it, files });
}

// A process that really died holds no lease.
function forgetLeases({ home }: World): void {
  fs.rmSync(holdfastPaths(home).leasesDir, { recursive: true, force: true });
}

/** As a client says that it has a session open. */
function openInClient({ configDir }: World, { sessionId }: SessionRef): () => void {
  const dir = path.join(configDir, "sessions");
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, `${process.pid}.json`), JSON.stringify({ sessionId }));
  return () => fs.rmSync(dir, { recursive: true });
}

const packsIn = ({ archiveDir }: World): string[] =>
  fs.readdirSync(archiveDir).filter((name) => name.endsWith(".pack.zst"));

describe("Archive.add()", () => {
  test("puts many sessions into one pack, which is smaller than they are", async () => {
    const it = world(40);
    const before = treeOf(it.configDir);
    const bytes = it.sessions.reduce((sum, session) => sum + fs.statSync(session.path).size, 0);
    const { archived, skipped } = await add(it);
    expect([archived.map(({ sessionId }) => sessionId), skipped]).toEqual([
      it.sessions.map(({ sessionId }) => sessionId),
      [],
    ]);
    expect(treeOf(it.configDir)).toEqual({});
    expect(fs.readdirSync(it.archiveDir)).toEqual(packsIn(it));
    const [pack] = packsIn(it);
    const packBytes = fs.statSync(path.join(it.archiveDir, pack!)).size;
    expect(packBytes).toBeLessThan(bytes / 2);
    const stored = archived.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
    expect(stored).toBeGreaterThan(packBytes / 4);
    expect(stored).toBeLessThan(packBytes);
    for (const { sessionId } of it.sessions) {
      const { entries } = await it.store.readConversation(await it.store.find(sessionId));
      expect(entries).toHaveLength(2);
    }
    await restore(it, it.sessions);
    expect(treeOf(it.configDir)).toEqual(before);
  });

  test("gives a session that is too large for a pack one of its own", async () => {
    const it = world(5);
    const large = it.sessions[2]!;
    // Blanks are no line; they only make it long.
    fs.appendFileSync(large.path, " ".repeat(packBytesMax));
    const before = treeOf(it.configDir);
    const { archived } = await add(it);
    const packs = Map.groupBy(archived, ({ pack }) => pack);
    expect([...packs.values()].map((sessions) => sessions.map(({ sessionId }) => sessionId))).toEqual([
      it.sessions.slice(0, 2).map(({ sessionId }) => sessionId),
      [large.sessionId],
      it.sessions.slice(3).map(({ sessionId }) => sessionId),
    ]);
    await restore(it, it.sessions);
    expect(treeOf(it.configDir)).toEqual(before);
  });

  test("reads each folder once, however many sessions it has", async () => {
    const readings = async (count: number): Promise<number> => {
      const it = world(count);
      const readdir = vi.spyOn(fs, "readdirSync");
      try {
        await add(it);
        const shared = new Set([
          path.dirname(it.sessions[0]!.path),
          configPaths(it.configDir).todosDir,
          it.archiveDir,
        ]);
        return readdir.mock.calls.filter(([dir]) => shared.has(String(dir))).length;
      } finally {
        readdir.mockRestore();
      }
    };
    expect(await readings(30)).toBe(await readings(2));
  });

  test("leaves what somebody has open, tells it, and packs the others", async () => {
    const it = world(3);
    const [first, second, third] = it.sessions as [SessionRef, SessionRef, SessionRef];
    const close = openInClient(it, second);
    {
      await using _ = await it.store.openWriter({ cwd: it.cwd, sessionId: third.sessionId });
      const { archived, skipped } = await add(it);
      expect(archived.map(({ sessionId }) => sessionId)).toEqual([first.sessionId]);
      expect(skipped).toEqual([
        { session: second, error: expect.objectContaining({ code: "session_in_use" }) as Error },
        { session: third, error: expect.objectContaining({ code: "conflict" }) as Error },
      ]);
    }
    close();
    expect([first, second, third].map((session) => fs.existsSync(session.path))).toEqual([false, true, true]);
    expect((await add({ ...it, sessions: [second, third, third] })).archived).toHaveLength(2);
    expect(packsIn(it)).toHaveLength(2);
  });

  test("leaves out what changes while it is packed", async () => {
    const it = world(3);
    const { sessionId, path: file } = it.sessions[1]!;
    const fstat = vi.spyOn(fs, "fstatSync");
    fstat.mockImplementationOnce((...args) => {
      fstat.mockRestore();
      fs.appendFileSync(file, '{"type":"custom-title","customTitle":"Meanwhile"}\n');
      return fs.fstatSync(...args);
    });
    const { skipped } = await add({ ...it, sessions: [it.sessions[1]!, it.sessions[0]!] });
    expect(skipped).toMatchObject([{ session: { sessionId }, error: { code: "session_in_use" } }]);
    expect((await it.store.listArchive()).map((each) => each.sessionId)).toEqual([it.sessions[0]!.sessionId]);
    expect(fs.readFileSync(file, "utf8")).toContain("Meanwhile");
  });

  test("makes a copy of what is opened while it is packed, and the next run removes the original", async () => {
    const it = world(2);
    const before = treeOf(it.configDir);
    let close = (): void => {};
    const renameSync = (from: fs.PathLike, to: fs.PathLike): void => {
      fs.renameSync(from, to);
      close = openInClient(it, it.sessions[0]!);
    };
    const store = storeWith(it, { ...nodeFileOps, renameSync });
    const { archived, skipped } = await add({ store, sessions: it.sessions });
    expect(archived).toMatchObject([{ sessionId: it.sessions[1]!.sessionId, isLive: false }]);
    expect(skipped).toMatchObject([{ error: { code: "session_in_use" } }]);
    expect(it.sessions.map((session) => fs.existsSync(session.path))).toEqual([true, false]);
    (await it.store.openArchive()).close();
    expect(fs.existsSync(it.sessions[0]!.path)).toBe(true);
    close();
    (await it.store.openArchive()).close();
    expect(treeOf(it.configDir)).toEqual({});
    expect(fs.readdirSync(it.archiveDir)).toEqual(packsIn(it));
    await restore(it, it.sessions);
    expect(treeOf(it.configDir)).toEqual(before);
  });

  test("leaves what may not be removed, says why, and opens all the same", async () => {
    const it = world(2);
    const [mine, theirs] = it.sessions as [SessionRef, SessionRef];
    const unlinkSync = (file: fs.PathLike): void => {
      if (file === theirs.path) throw Object.assign(new Error("EPERM: not permitted"), { code: "EPERM" });
      fs.unlinkSync(file);
    };
    const store = storeWith(it, { ...nodeFileOps, unlinkSync });
    const { archived, skipped } = await add({ store, sessions: it.sessions });
    expect(archived).toMatchObject([{ sessionId: mine.sessionId }]);
    expect(skipped).toMatchObject([{ session: theirs, error: { code: "EPERM" } }]);
    await restore({ store }, [mine]);
    expect(it.sessions.map((session) => fs.existsSync(session.path))).toEqual([true, true]);
    (await it.store.openArchive()).close();
    expect(it.sessions.map((session) => fs.existsSync(session.path))).toEqual([true, false]);
  });

  test("leaves a session that goes on before its original is removed, with all that belongs to it", async () => {
    const it = world(2);
    const before = treeOf(it.configDir);
    const renameSync = (from: fs.PathLike, to: fs.PathLike): void => {
      fs.renameSync(from, to);
      fs.appendFileSync(it.sessions[0]!.path, "one more line\n");
    };
    await add({ store: storeWith(it, { ...nodeFileOps, renameSync }), sessions: it.sessions });
    const { sessionId, path: file } = it.sessions[0]!;
    const own = Object.entries(before).filter(([name]) => name.includes(sessionId));
    expect(treeOf(it.configDir)).toEqual({
      ...Object.fromEntries(own),
      [path.relative(it.configDir, file)]: expect.any(String) as string,
    });
    expect(fs.readFileSync(file, "utf8")).toContain("one more line");
    expect((await it.store.find(sessionId)).path).toBe(file);
  });

  test("removes nothing when the pack does not give back what was written", async () => {
    const it = world(2);
    const before = treeOf(it.configDir);
    for (const nth of [0, 1, 2, 3]) {
      let writes = 0;
      const writeSync = (fd: number, data: Uint8Array, ...rest: number[]): number => {
        const isFrame = fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith(".pack.zst");
        const bytes = Buffer.from(data);
        if (isFrame && writes++ === nth) bytes[bytes.length - 6]! ^= 1;
        return fs.writeSync(fd, bytes, ...rest);
      };
      const store = storeWith(it, { ...nodeFileOps, writeSync: writeSync as typeof fs.writeSync });
      await expect(add({ store, sessions: it.sessions })).rejects.toMatchObject({ code: "archive_damaged" });
      expect([writes, treeOf(it.configDir), fs.readdirSync(it.archiveDir)]).toEqual([4, before, []]);
    }
  });

  test("replaces copies of which it holds all, and their packs go with the last of them", async () => {
    const it = world(3);
    const [first, second, third] = it.sessions as [SessionRef, SessionRef, SessionRef];
    await add(it, { keepsOriginals: true });
    const [copies] = packsIn(it);
    fs.appendFileSync(second.path, '{"type":"custom-title","customTitle":"Longer"}\n');
    await add({ ...it, sessions: [first, second] });
    expect((await it.store.listArchive()).map(({ sessionId }) => sessionId).toSorted()).toEqual(
      it.sessions.map(({ sessionId }) => sessionId).toSorted(),
    );
    expect(packsIn(it)).toContain(copies);
    // Not the beginning of what was copied: both stay.
    fs.writeFileSync(third.path, '{"type":"custom-title","customTitle":"Rewritten"}\n');
    await add({ ...it, sessions: [third] });
    expect(await it.store.listArchive()).toHaveLength(4);
    expect(await it.store.summary(await it.store.find(third.sessionId))).toMatchObject({
      title: "Rewritten",
    });
    await restore(it, [third]);
    fs.rmSync(third.path);
    expect(packsIn(it)).toContain(copies);
    await restore(it, [third]);
    expect(packsIn(it)).not.toContain(copies);
  });

  test("loses nothing and is finished by the next run, whatever file call it dies at", async () => {
    let calls = Infinity;
    let skips = 0;
    for (let n = 1; n <= calls; n++) {
      const it = world(2);
      const before = treeOf(it.configDir);
      const crash = crashAt(n);
      const died = await add({ store: storeWith(it, crash.files), sessions: it.sessions }).then(
        () => false,
        () => true,
      );
      forgetLeases(it);
      // While the transcript of a session is there nothing else of it was touched.
      const whole = it.sessions.filter((session) => fs.existsSync(session.path));
      const expected = Object.entries(before).filter(([name]) =>
        whole.some(({ sessionId }) => name.includes(sessionId)),
      );
      expect(treeOf(it.configDir), `call ${n}`).toMatchObject(Object.fromEntries(expected));
      const refs = await Promise.all(it.sessions.map(({ sessionId }) => it.store.find(sessionId)));
      // The next run finishes it when it opens the archive, and may then find nothing more to do.
      const again = await add({ ...it, sessions: refs });
      for (const { error } of again.skipped)
        expect(["unsafe_path", "session_not_found"]).toContain(codeOf(error));
      skips += again.skipped.length;
      expect(treeOf(it.configDir), `call ${n}`).toEqual({});
      expect(
        fs.readdirSync(it.archiveDir).filter((name) => name.includes("tmp") || name.startsWith(".")),
      ).toEqual([]);
      await restore(it, it.sessions);
      expect(treeOf(it.configDir), `call ${n}`).toEqual(before);
      expect(fs.readdirSync(it.archiveDir), `call ${n}`).toEqual([]);
      if (!died) calls = n;
    }
    expect(calls).toBeGreaterThan(30);
    // Else none of them died between the pack and its originals.
    expect(skips).toBeGreaterThan(4);
  });
});

describe("Archive.restore()", () => {
  test("takes one session out of a pack and leaves the others as they are", async () => {
    const it = world(3);
    const before = treeOf(it.configDir);
    await add(it);
    const pack = path.join(it.archiveDir, packsIn(it)[0]!);
    const bytes = fs.readFileSync(pack);
    const [first, second, third] = it.sessions as [SessionRef, SessionRef, SessionRef];
    await restore(it, [second]);
    expect(fs.readFileSync(pack).equals(bytes)).toBe(true);
    expect(fs.readFileSync(`${pack}.removed`, "utf8").trim()).toBe('{"session":1}');
    const listed = (await it.store.list()).map(({ sessionId, archived = false }) => ({
      sessionId,
      archived,
    }));
    expect(listed).toHaveLength(3);
    expect(listed).toContainEqual({ sessionId: second.sessionId, archived: false });
    await expect(restore(it, [second])).rejects.toMatchObject({ code: "archive_not_found" });
    // A line that a full disk cut off removes nothing, and does not spoil the next one.
    fs.appendFileSync(`${pack}.removed`, '{"session":2');
    await restore(it, [first]);
    expect((await it.store.listArchive()).map(({ sessionId }) => sessionId)).toEqual([third.sessionId]);
    await restore(it, [third]);
    expect([fs.readdirSync(it.archiveDir), treeOf(it.configDir)]).toEqual([[], before]);
  });

  test("is finished by the next run, whatever file call it dies at", async () => {
    let calls = Infinity;
    for (let n = 1; n <= calls; n++) {
      const it = world(2);
      const before = treeOf(it.configDir);
      await add(it);
      const died = await restore({ store: storeWith(it, crashAt(n).files) }, it.sessions).then(
        () => false,
        () => true,
      );
      forgetLeases(it);
      for (const { sessionId } of it.sessions) await it.store.find(sessionId);
      const left = await it.store.listArchive();
      await restore(
        it,
        it.sessions.filter(({ sessionId }) => left.some((archived) => archived.sessionId === sessionId)),
      );
      expect(treeOf(it.configDir), `call ${n}`).toEqual(before);
      (await it.store.openArchive()).close();
      expect(fs.readdirSync(it.archiveDir), `call ${n}`).toEqual([]);
      if (!died) calls = n;
    }
    expect(calls).toBeGreaterThan(20);
  });
});

test("openArchive() removes what a dead process left, and nothing that is not its own", async () => {
  const it = world(2);
  await add(it);
  const [pack] = packsIn(it);
  const put = (name: string, text = ""): void => fs.writeFileSync(path.join(it.archiveDir, name), text);
  put(".0123.pack.zst", "half a pack");
  put(".x.1-2-3.tmp", "a file that was being unpacked");
  put("gone.pack.zst.removed");
  put("gone.pack.zst.originals-remain");
  put("notes.txt", "somebody's own");
  put(".gitignore", "somebody's own");
  (await it.store.openArchive()).close();
  expect(new Set(fs.readdirSync(it.archiveDir))).toEqual(new Set([".gitignore", pack, "notes.txt"]));
  // All of it was taken out, and then the process died.
  put(`${pack}.removed`, '{"session":0}\n{"session":1}\n');
  (await it.store.openArchive()).close();
  expect(fs.readdirSync(it.archiveDir).toSorted()).toEqual([".gitignore", "notes.txt"]);
});
