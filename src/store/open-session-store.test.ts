import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { fakeClock, sampleSession, tempDir, waitFor, type WrittenSession } from "../../test/support/index.ts";
import type { FollowEvent } from "./read/follow-transcript.ts";
import { openSessionStore } from "./open-session-store.ts";
import type { SessionStore } from "./session-store.ts";

let store: SessionStore;
let home: string;
let session: WrittenSession;

beforeEach(() => {
  const configDir = tempDir();
  home = path.join(tempDir(), "home");
  store = openSessionStore({ configDir, home, clock: fakeClock() });
  session = sampleSession().write(configDir);
});

test("openSessionStore() touches nothing by itself, and reading makes nothing but a cache", async () => {
  const before = fs.readdirSync(store.configDir, { recursive: true });
  expect(fs.existsSync(home)).toBe(false);
  await store.list();
  const ref = await store.find(session.sessionId);
  await store.readConversation(ref);
  await store.usage(ref);
  await store.agents(ref);
  expect([fs.readdirSync(home), fs.readdirSync(store.configDir, { recursive: true })]).toEqual([
    ["index"],
    before,
  ]);
});

test("a session store answers every question about one session alike", async () => {
  const ref = await store.find(session.sessionId.slice(0, 8));
  const { entries, gaps, rejections } = await store.readConversation(ref);
  const conversation = await store.conversation(ref);
  const streamed: string[] = [];
  for await (const line of store.stream(ref)) streamed.push(line.kind);
  const [last] = (await store.readConversation(ref, { last: 1 })).entries as unknown as [{ uuid: string }];
  const counts = await store.counts(ref);
  const [listed] = await store.list();
  expect({
    opened: [...conversation.entries()],
    gaps,
    rejections,
    lines: streamed.length,
    entry: await store.entry(ref, last.uuid),
    ancestor: (await store.ancestry(ref, last.uuid)).at(-1),
    summary: await store.summary(ref),
    compactions: (await store.compactions(ref)).length,
    agents: (await store.agents(ref)).length,
    messages: counts["user"]! + counts["assistant"]!,
  }).toEqual({
    opened: entries,
    gaps: [],
    rejections: [],
    lines: Object.values(counts).reduce((sum, count) => sum + count, 0),
    entry: last,
    ancestor: last,
    summary: listed,
    compactions: 1,
    agents: listed!.agents,
    messages: listed!.messageCount,
  });
  conversation.close();
});

test("a session store follows what its own writer writes", async () => {
  const stop = new AbortController();
  const events: FollowEvent[] = [];
  const writer = await store.openWriter({ cwd: "/home/user/new", durability: "sync" });
  const following = (async () => {
    for await (const event of store.follow(writer.session, { signal: stop.signal })) events.push(event);
  })();
  const uuid = await writer.append({ type: "user", message: { role: "user", content: "hello" } });
  await writer.close();
  await waitFor(() => events.length === 1);
  stop.abort();
  await following;
  expect(events).toMatchObject([{ kind: "entry", entry: { uuid, timestamp: "2026-01-02T03:04:05.000Z" } }]);
});

test("a session store forks, renames, tags, moves, trashes and restores", async () => {
  const { session: fork } = await store.fork(session, { title: "Forked" });
  await store.rename(fork, "Renamed");
  await store.tag(fork, "wip");
  const moved = await store.move(fork, "/home/user/elsewhere");
  expect(await store.summary(moved)).toMatchObject({
    title: "Renamed",
    tag: "wip",
    cwd: "/home/user/elsewhere",
  });
  const trashed = await store.trash(moved);
  expect([await store.listTrash(), (await store.list()).length]).toEqual([[trashed], 1]);
  expect(await store.restore(fork.sessionId)).toEqual(moved);
  expect((await store.list()).map(({ sessionId }) => sessionId).sort()).toEqual(
    [fork.sessionId, session.sessionId].sort(),
  );
});

test("a session store rejects, and never throws, when a session is gone", async () => {
  fs.rmSync(session.path);
  const gone = { code: "session_not_found" };
  const asked = [
    () => store.find(session.sessionId),
    () => store.summary(session),
    () => store.conversation(session),
    () => store.readConversation(session, { last: 1 }),
    () => store.stream(session).next(),
    () => store.entry(session, "x"),
    () => store.ancestry(session, "x"),
    () => store.counts(session),
    () => store.usage(session),
    () => store.compactions(session),
    () => store.fork(session),
    () => store.rename(session, "x"),
    () => store.tag(session, "x"),
    () => store.trash(session),
    () => store.move(session, "/home/user/elsewhere"),
  ];
  for (const ask of asked) await expect(ask(), `asked by ${String(ask)}`).rejects.toMatchObject(gone);
  // Those that it started are there.
  expect(await store.agents(session)).toHaveLength(1);
  await expect(store.restore(session.sessionId)).rejects.toMatchObject({ code: "trash_not_found" });
});

test("a session store refuses titles and tags by rejecting, too", async () => {
  await expect(store.rename(session, "")).rejects.toThrow(RangeError);
  await expect(store.tag(session, "x".repeat(1000))).rejects.toThrow(RangeError);
});
