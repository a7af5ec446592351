import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { textOf, toolResultsOf, toolUsesOf, uuidOf } from "../../format/entry-kinds.ts";
import { configPaths, projectKey } from "../../format/paths.ts";
import { tempDir } from "../../../test/support/index.ts";
import type { Entry } from "../../format/entries/entry.ts";
import { openSessionStore } from "../open-session-store.ts";
import type { SessionStore } from "../session-store.ts";
import type { EntryDraft } from "../write/session-writer.ts";
import { openSessionWriter } from "../write/session-writer.ts";
import { listOwed, writeOwed } from "./owed-answer.ts";

const sessionId = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
const agentId = "s00000001";

const prompt = (text: string, more: object = {}): EntryDraft => ({
  type: "user",
  message: { role: "user", content: text },
  ...more,
});
const says = (id: string, text: string): EntryDraft => ({
  type: "assistant",
  message: { id, role: "assistant", content: [{ type: "text", text }] },
});
const uses = (id: string, toolUseId: string): EntryDraft => ({
  type: "assistant",
  message: {
    id,
    role: "assistant",
    content: [{ type: "tool_use", id: toolUseId, name: "Bash", input: {} }],
  },
});
const result = (toolUseId: string, text: string): EntryDraft => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: toolUseId, content: text }] },
});

interface World {
  store: SessionStore;
  cwd: string;
  home: string;
  /** What the task is: true when it has ended. */
  is: { over: boolean };
  /** Says it in the session. */
  say(...drafts: EntryDraft[]): Promise<string[]>;
  /** Says it in the query's own transcript. */
  answer(...drafts: EntryDraft[]): Promise<string[]>;
  owe(after: string): void;
  /** The conversation as readers show it. */
  shown(): Promise<string[]>;
  /** What stands in the session's own file. */
  own(): Promise<string[]>;
}

function world(): World {
  const [home, configDir, cwd] = [tempDir(), tempDir(), tempDir()];
  const is = { over: false };
  const store = openSessionStore({ home, configDir, isTaskOver: async () => is.over });
  const ref = { projectKey: projectKey(cwd), sessionId };
  const file = configPaths(configDir).transcriptPath(ref);
  const append = async (drafts: EntryDraft[], agent?: string): Promise<string[]> => {
    // Without a word about tasks: nothing that is owed is appended by it.
    const place = { home, configDir };
    const writer = await openSessionWriter(place, { cwd, sessionId, ...(agent && { agentId: agent }) });
    const uuids: string[] = [];
    for (const draft of drafts) uuids.push(await writer.append(draft));
    await writer.close();
    return uuids;
  };
  const session = { ...ref, path: file };
  return {
    store,
    cwd,
    home,
    is,
    say: (...drafts) => append(drafts),
    answer: (...drafts) => append(drafts, agentId),
    owe: (after) =>
      writeOwed(home, {
        sessionId,
        agentId,
        transcript: configPaths(configDir).nestedAgentPath({ ...ref, agentId }),
        after,
        task: { projectKey: ref.projectKey, id: agentId },
        at: "2026-02-03T04:05:06.000Z",
      }),
    shown: async () => (await store.readConversation(session)).entries.map(inShort),
    own: async () => {
      const writerless = openSessionStore({ home: tempDir(), configDir });
      return (await writerless.readConversation(session)).entries.map(inShort);
    },
  };
}

function inShort(entry: Entry): string {
  const tools = toolUsesOf(entry).map(({ id }) => `use ${id}`);
  const results = toolResultsOf(entry).map(
    ({ tool_use_id: id, content }) => `result ${id}: ${content as string}`,
  );
  return [...tools, ...results, textOf(entry)].filter(Boolean).join(" ");
}

// A session that was left in the middle of a tool call, and the query that went on with it.
async function leftInTheMiddle(): Promise<World> {
  const made = world();
  const drafts = [prompt("look", { uuid: "11111111-0000-4000-8000-000000000001" })];
  const use = { ...uses("m1", "t1"), uuid: "11111111-0000-4000-8000-000000000002" };
  await made.say(...drafts, use);
  const copied = await made.answer(...drafts, use);
  made.owe(copied.at(-1)!);
  await made.answer(result("t1", "found"), uses("m2", "t2"), result("t2", "more"), says("m3", "Done."));
  return made;
}

const whole = ["look", "use t1", "result t1: found", "use t2", "result t2: more", "Done."];

describe("what is owed to a session", () => {
  test("is shown behind it at once, and appended once by the next writer when its task is over", async () => {
    const made = await leftInTheMiddle();
    const { store, cwd, home, is } = made;
    expect([await made.own(), await made.shown()]).toEqual([whole.slice(0, 2), whole]);
    const open = () => store.openWriter({ cwd, sessionId });
    // As long as more may come nobody appends it.
    const early = await open();
    expect(await store.settle(early)).toMatchObject({ appended: [], underWay: [{ agentId }] });
    await early.close();
    expect(await made.own()).toEqual(whole.slice(0, 2));
    is.over = true;
    const writer = await open();
    await writer.append(prompt("thanks"));
    await writer.close();
    expect(await made.own()).toEqual([...whole, "thanks"]);
    expect(await made.shown()).toEqual([...whole, "thanks"]);
    expect([listOwed(home, sessionId), fs.existsSync(path.join(home, "owed", sessionId))]).toEqual([
      [],
      false,
    ]);
  });

  test("goes on where a writer died that had appended half of it", async () => {
    const made = await leftInTheMiddle();
    const { store, cwd, is } = made;
    const session = await store.find(sessionId);
    const { entries } = await store.readConversation(session);
    // What the dead one left: the first two of four, under their own ids.
    for (const entry of entries.slice(2, 4)) {
      const { type, message, uuid } = entry as unknown as EntryDraft;
      await made.say({ type, message, uuid });
    }
    is.over = true;
    expect(await made.shown()).toEqual(whole);
    await (await store.openWriter({ cwd, sessionId })).close();
    expect(await made.own()).toEqual(whole);
  });

  test("comes behind what was said meanwhile, without results that nobody waits for any more", async () => {
    const made = await leftInTheMiddle();
    await made.say(result("t1", "interrupted"), prompt("never mind"), says("m9", "As you like."));
    made.is.over = true;
    await (await made.store.openWriter({ cwd: made.cwd, sessionId })).close();
    expect(await made.own()).toEqual([
      "look",
      "use t1",
      "result t1: interrupted",
      "never mind",
      "As you like.",
      "use t2",
      "result t2: more",
      "Done.",
    ]);
  });

  test("ends with a result for a tool that gets none any more", async () => {
    const made = world();
    const [use = ""] = (await made.say(prompt("look"), uses("m1", "t1"))).slice(1);
    await made.answer({ ...uses("m1", "t1"), uuid: use });
    made.owe(use);
    made.is.over = true;
    await (await made.store.openWriter({ cwd: made.cwd, sessionId })).close();
    expect(await made.own()).toEqual(["look", "use t1", expect.stringMatching(/^result t1: Interrupted/)]);
  });

  test("is shown to the end that was asked for, and comes along in a fork", async () => {
    const made = await leftInTheMiddle();
    const { store } = made;
    const session = await store.find(sessionId);
    const { entries } = await store.readConversation(session);
    const last = async (count: number): Promise<string[]> =>
      (await store.readConversation(session, { last: count })).entries.map(inShort);
    expect([await last(1), await last(5)]).toEqual([whole.slice(5), whole.slice(1)]);
    const at = uuidOf(entries[3]!)!;
    expect((await store.readConversation(session, { leaf: at })).entries.map(inShort)).toEqual(
      whole.slice(0, 4),
    );
    const forks = [await store.fork(session), await store.fork(session, { at })];
    const read = async (index: number): Promise<string[]> => {
      const found = await store.readConversation(forks[index]!.session);
      expect(found).toMatchObject({ gaps: [], rejections: [] });
      return found.entries.map(inShort);
    };
    expect([await read(0), await read(1)]).toEqual([whole, whole.slice(0, 4)]);
    expect(forks.map(({ entries: count }) => count)).toEqual([6, 4]);
  });

  test("is shown whatever the session says of itself in between: a chain without gaps", async () => {
    const made = await leftInTheMiddle();
    made.is.over = true;
    await (await made.store.openWriter({ cwd: made.cwd, sessionId })).close();
    const { entries, gaps } = await made.store.readConversation(await made.store.find(sessionId));
    expect(gaps).toEqual([]);
    const parents = entries.map((entry) => (entry as { parentUuid?: unknown }).parentUuid);
    expect(parents).toEqual([null, ...entries.slice(0, -1).map(uuidOf)]);
    expect(
      new Set(entries.map((entry) => JSON.stringify([entry, "sessionId" in entry && entry.sessionId].at(1)))),
    ).toEqual(new Set([JSON.stringify(sessionId)]));
    expect(entries.filter((entry) => "agentId" in entry)).toEqual([]);
  });
});
