import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome, type TestHome, type WrittenSession } from "../../../test/support/index.ts";
import { treeOf } from "../../../test/support/tree-of.ts";
import { configPaths, holdfastPaths } from "../../format/paths.ts";
import { openSessionStore } from "../open-session-store.ts";
import type { SessionStore } from "../session-store.ts";

interface World extends TestHome {
  store: SessionStore;
  session: WrittenSession;
}

/** A home with a session that has one of everything beside its transcript. */
function world(): World {
  const home = testHome();
  const session = sampleSession({ cwd: home.cwd }).write(home.configDir);
  const paths = configPaths(home.configDir);
  const put = (file: string, text: string): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  };
  put(paths.todosPath({ sessionId: session.sessionId, agentId: session.sessionId }), "[]");
  put(path.join(paths.toolResultsDir(session), "b1.txt"), "spilled ".repeat(1000));
  put(path.join(paths.fileHistoryDir(session.sessionId), "0123456789abcdef@v1"), "before");
  fs.symlinkSync("b1.txt", path.join(paths.toolResultsDir(session), "link.txt"));
  const agents = path.join(paths.sessionDir(session), "subagents");
  for (const name of fs.readdirSync(agents))
    put(path.join(agents, name.replace(".jsonl", ".meta.json")), '{"agentType":"explorer"}');
  put(path.join(agents, "workflows/w1/agent-0a1b2c3d.jsonl"), "{}\n");
  put(
    path.join(path.dirname(session.path), "agent-0f1e2d3c.jsonl"),
    `${JSON.stringify({ type: "user", sessionId: session.sessionId })}\n`,
  );
  return { ...home, session, store: openSessionStore(home) };
}

async function add({ store, session }: Pick<World, "store" | "session">): Promise<void> {
  const archive = await store.openArchive();
  try {
    const { skipped } = await archive.add([await store.find(session.sessionId)]);
    if (skipped[0]) throw skipped[0].error;
  } finally {
    archive.close();
  }
}

async function restore({ store, session }: Pick<World, "store" | "session">): Promise<void> {
  const archive = await store.openArchive();
  try {
    archive.restore(session.sessionId.slice(0, 8));
  } finally {
    archive.close();
  }
}

describe("Archive.add()", () => {
  test("takes everything of a session away, and restore() puts it back byte for byte", async () => {
    const it = world();
    const before = treeOf(it.configDir);
    await add(it);
    expect(treeOf(it.configDir)).toEqual({});
    expect(fs.existsSync(configPaths(it.configDir).sessionDir(it.session))).toBe(false);
    await restore(it);
    expect(treeOf(it.configDir)).toEqual(before);
    expect(fs.readdirSync(holdfastPaths(it.home).archiveDir)).toEqual([]);
    // With its old time the client's next sweep would delete it.
    expect(Date.now() - fs.statSync(it.session.path).mtimeMs).toBeLessThan(60_000);
  });

  test("leaves the session listed, found, shown and counted as before", async () => {
    const it = world();
    const { store, session, cwd } = it;
    const ask = async () => {
      const found = await store.find(session.sessionId.slice(0, 6));
      const { path: _, ...summary } = await store.summary(found);
      return {
        summary,
        list: (await store.list({ cwd })).map(({ sessionId, title, messageCount, agents, bytes }) => ({
          sessionId,
          title,
          messageCount,
          agents,
          bytes,
        })),
        everywhere: (await store.list({ limit: 1 })).map(({ sessionId }) => sessionId),
        conversation: await store.readConversation(found),
        context: await store.readConversation(found, { mode: "context", last: 2 }),
        counts: await store.counts(found),
        usage: await store.usage(found),
        compactions: await store.compactions(found),
        agents: (await store.agents(found)).map(({ path: __, ...agent }) => agent),
        last: (await store.find("@last")).sessionId,
      };
    };
    const before = await ask();
    expect(before.agents.map(({ layout, agentType }) => [layout, agentType])).toEqual([
      ["nested", "explorer"],
      ["workflow", undefined],
      ["flat", undefined],
    ]);
    await add(it);
    const after = await ask();
    expect(after).toEqual({ ...before, summary: { ...before.summary, archived: true } });
    const [agent] = await store.agents(await store.find(session.sessionId));
    expect((await store.readConversation({ ...session, path: agent!.path! })).entries.length).toBeGreaterThan(
      2,
    );
  });

  test("refuses to change an archived session, and says so", async () => {
    const it = world();
    await add(it);
    const found = await it.store.find(it.session.sessionId);
    const archived = expect.objectContaining({ code: "session_archived" }) as Error;
    await expect(it.store.rename(found, "x")).rejects.toThrow(archived);
    await expect(it.store.fork(found)).rejects.toThrow(archived);
    await expect(it.store.trash(found)).rejects.toThrow(archived);
    await expect(it.store.move(found, it.userHome)).rejects.toThrow(archived);
    await expect(it.store.openWriter({ cwd: it.cwd, sessionId: it.session.sessionId })).rejects.toThrow(
      archived,
    );
  });

  test("touches nothing while a client has the session open, or somebody writes it", async () => {
    const it = world();
    const before = treeOf(it.configDir);
    const sessions = path.join(it.configDir, "sessions");
    fs.mkdirSync(sessions);
    fs.writeFileSync(
      path.join(sessions, `${process.pid}.json`),
      JSON.stringify({ pid: process.pid, sessionId: it.session.sessionId }),
    );
    await expect(add(it)).rejects.toMatchObject({ code: "session_in_use" });
    fs.rmSync(sessions, { recursive: true });
    {
      await using _writer = await it.store.openWriter({ cwd: it.cwd, sessionId: it.session.sessionId });
      await expect(add(it)).rejects.toMatchObject({ code: "conflict" });
    }
    expect(treeOf(it.configDir)).toEqual(before);
    expect(await it.store.listArchive()).toEqual([]);
  });

  test("is for one process at a time", async () => {
    const it = world();
    const archive = await it.store.openArchive();
    await expect(it.store.openArchive()).rejects.toMatchObject({ code: "conflict" });
    archive.close();
  });
});

describe("Archive.restore()", () => {
  test("replaces nothing, and restores nothing that is damaged", async () => {
    const it = world();
    await add(it);
    fs.mkdirSync(path.dirname(it.session.path), { recursive: true });
    fs.writeFileSync(it.session.path, "something else\n");
    await expect(restore(it)).rejects.toMatchObject({ code: "target_exists" });
    expect(fs.readFileSync(it.session.path, "utf8")).toBe("something else\n");
    fs.rmSync(it.session.path);
    const [archived] = await it.store.listArchive();
    const bytes = fs.readFileSync(archived!.pack);
    fs.writeFileSync(archived!.pack, Buffer.from(bytes).fill(0, 100, 200));
    await expect(restore(it)).rejects.toMatchObject({ code: "archive_damaged" });
    expect(fs.existsSync(it.session.path)).toBe(false);
    expect(await it.store.listArchive()).toHaveLength(1);
    fs.writeFileSync(archived!.pack, bytes.subarray(0, 100));
    await expect(restore(it)).rejects.toMatchObject({ code: "archive_damaged" });
    const told: string[] = [];
    const store = openSessionStore({ ...it, onUnreadable: (file) => void told.push(file) });
    expect([await store.listArchive(), await store.list(), told]).toEqual([
      [],
      [],
      [archived!.pack, archived!.pack],
    ]);
    fs.writeFileSync(archived!.pack, bytes);
    await restore(it);
    expect(fs.existsSync(it.session.path)).toBe(true);
  });

  test("says what is not there, and which of several is meant", async () => {
    const it = world();
    await expect(restore(it)).rejects.toMatchObject({ code: "archive_not_found" });
    const other = sampleSession({
      cwd: it.cwd,
      seed: "other",
      sessionId: `${it.session.sessionId.slice(0, 20)}fff-000000000000`,
    }).write(it.configDir);
    await add(it);
    await expect(it.store.find(it.session.sessionId.slice(0, 8))).rejects.toMatchObject({
      code: "session_ambiguous",
    });
    await add({ ...it, session: other });
    await expect(restore(it)).rejects.toMatchObject({ code: "session_ambiguous" });
    expect(await it.store.find(it.session.sessionId)).toMatchObject({ sessionId: it.session.sessionId });
  });
});
