import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { crashAt } from "../../../test/support/crash-at.ts";
import {
  sampleSession,
  seededRandom,
  tempDir,
  TranscriptBuilder,
  type SampleEntry,
} from "../../../test/support/index.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { randomSession } from "../../../test/support/random-session.ts";
import { configPaths } from "../../format/paths.ts";
import { drawnSession } from "../../../test/support/drawn-session.ts";
import { openConversation, readConversation, type Conversation } from "../read/conversation.ts";
import { forkSession, type ForkResult } from "./fork-session.ts";
import { getSummary, listSessions } from "../list/list-sessions.ts";
import { listAgents } from "../list/session-agents.ts";
import { readUsage } from "../read/session-usage.ts";
import type { StoreContext } from "../write/session-writer.ts";

const MADE_AT = "2026-08-09T10:11:12.000Z";
let context: StoreContext;

beforeEach(() => {
  context = { configDir: tempDir(), home: tempDir(), clock: fakeClock(MADE_AT) };
});

type Line = Record<string, unknown> & { uuid?: string; parentUuid?: string | null };
const textLines = (file: string): string[] => fs.readFileSync(file, "utf8").trimEnd().split("\n");
const linesOf = (file: string): Line[] => textLines(file).map((line) => JSON.parse(line) as Line);

/** The lines of a fork without the last one, which says when it was made. */
function takenOver(file: string): Line[] {
  const lines = linesOf(file);
  expect(lines.at(-1)).toMatchObject({ type: "holdfast-forked" });
  return lines.slice(0, -1);
}
const uuidsOf = (entries: SampleEntry[]): unknown[] => entries.map(({ uuid }) => uuid);

/** The conversation without what a fork changes. */
async function conversationOf(file: string, leaf?: string): Promise<object[]> {
  const { entries } = await readConversation(file, { leaf });
  return entries.map((entry) => Object.assign(entry, { sessionId: "" }));
}

/** Parents that are named but not there. */
function dangling(file: string): unknown[] {
  const lines = linesOf(file);
  const uuids = new Set(lines.map(({ uuid }) => uuid));
  return lines
    .filter(({ parentUuid }) => typeof parentUuid === "string" && !uuids.has(parentUuid))
    .map(({ uuid }) => uuid);
}

test("forkSession() begins a new session with the whole conversation, byte for byte but for the session id", async () => {
  const session = sampleSession();
  const written = session.write(context.configDir);
  const before = fs.readFileSync(written.path);
  const { session: fork, entries } = await forkSession(context, written);
  expect(fork).toEqual({
    sessionId: fork.sessionId,
    projectKey: written.projectKey,
    path: path.join(path.dirname(written.path), `${fork.sessionId}.jsonl`),
  });
  expect(fs.readFileSync(written.path).equals(before)).toBe(true);
  // All but the first title, which the fork's own replaces.
  const kept = textLines(written.path).filter((line) => !line.includes('"custom-title"'));
  expect(textLines(fork.path)).toEqual([
    ...kept.map((line) =>
      line.replace(`"sessionId":"${written.sessionId}"`, `"sessionId":"${fork.sessionId}"`),
    ),
    JSON.stringify({ type: "custom-title", customTitle: "Fix the parser (fork)", sessionId: fork.sessionId }),
    JSON.stringify({
      type: "holdfast-forked",
      forkedFrom: written.sessionId,
      sessionId: fork.sessionId,
      timestamp: MADE_AT,
    }),
  ]);
  const conversation = await conversationOf(written.path);
  expect([await conversationOf(fork.path), entries]).toEqual([conversation, conversation.length]);
  expect([await readUsage(fork.path), fs.statSync(fork.path).mode & 0o777]).toEqual([
    await readUsage(written.path),
    0o600,
  ]);
});

test("forkSession() replaces the session id of the line alone, not one that is talked about", async () => {
  const session = new TranscriptBuilder();
  const text = JSON.stringify({ sessionId: session.sessionId });
  session.prompt(text, { toolUseResult: { sessionId: session.sessionId } });
  const { session: fork } = await forkSession(context, session.write(context.configDir));
  expect(takenOver(fork.path)).toEqual([{ ...session.entries[0], sessionId: fork.sessionId }]);
});

test("forkSession() ends at the prompt, the answer or the result that it is asked to end at", async () => {
  const session = new TranscriptBuilder();
  const first = session.prompt("a");
  const answer = session.reply({ type: "thinking", thinking: "hm" }, "b");
  const { uses, results } = session.callTools(
    { name: "Bash", input: {}, result: "1" },
    { name: "Bash", input: {}, result: "2" },
  );
  const second = session.prompt("c");
  session.reply("d");
  const written = session.write(context.configDir);
  const forkAt = async (at: SampleEntry): Promise<unknown[]> => {
    const { session: fork, entries } = await forkSession(context, written, { at: at.uuid });
    const uuids = takenOver(fork.path).map(({ uuid }) => uuid);
    expect([entries, await conversationOf(fork.path)]).toEqual([
      uuids.length,
      await conversationOf(written.path, at.uuid),
    ]);
    return uuids;
  };
  const upTo = (...more: SampleEntry[][]): unknown[] => uuidsOf([first, ...more.flat()]);
  expect(await forkAt(first)).toEqual(upTo());
  // A message of the assistant is one, however many lines it has, and a call comes with its result.
  expect(await forkAt(answer[0]!)).toEqual(upTo(answer));
  expect(await forkAt(uses[0]!)).toEqual(upTo(answer, uses, results));
  expect(await forkAt(results[0]!)).toEqual(upTo(answer, uses, results));
  expect(await forkAt(second)).toEqual(upTo(answer, uses, results, [second]));
  await expect(forkSession(context, written, { at: "never-written" })).rejects.toMatchObject({
    code: "entry_not_found",
  });
});

test("forkSession() leaves abandoned branches and sub-agents of the main file behind", async () => {
  const session = new TranscriptBuilder();
  const { uuid } = session.prompt("a");
  session.reply("abandoned");
  session.continueFrom(null).prompt("side", { isSidechain: true });
  session.continueFrom(uuid!).reply("b");
  const { session: fork } = await forkSession(context, session.write(context.configDir));
  expect(takenOver(fork.path).map((line) => line.uuid)).toEqual([uuid, session.leaf]);
});

test("forkSession() takes the parents of every line along, progress and others", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.continueFrom(session.progress({ type: "hook_progress" }).uuid!);
  const { results } = session.callTools(
    { name: "Bash", input: {}, result: "1" },
    { name: "Bash", input: {}, result: "2" },
  );
  session.entries.splice(-2);
  for (const [index, result] of results.entries()) {
    session.continueFrom(result.parentUuid!);
    const between =
      index === 0 ? session.progress({ type: "hook_progress" }) : session.system("informational");
    result.parentUuid = between.uuid!;
    session.entries.push(result);
  }
  session.continueFrom(results[1]!.uuid!).reply("b");
  const written = session.write(context.configDir);
  const { session: fork } = await forkSession(context, written);
  expect([dangling(fork.path), takenOver(fork.path).length]).toEqual([[], session.entries.length]);
  expect(await conversationOf(fork.path)).toEqual(await conversationOf(written.path));
});

test("forkSession() keeps prompts that were typed while the agent worked", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.queue("enqueue", "early");
  session.queue("remove");
  const [leaf] = session.reply("b");
  session.queue("enqueue", "late");
  session.queue("remove");
  const written = session.write(context.configDir);
  const whole = await forkSession(context, written);
  const part = await forkSession(context, written, { at: leaf!.uuid });
  expect(await conversationOf(whole.session.path)).toEqual(await conversationOf(written.path));
  expect([
    whole.entries,
    part.entries,
    textLines(part.session.path).some((line) => line.includes("late")),
  ]).toEqual([4, 3, false]);
});

test("forkSession() of any session, at any message, holds the same conversation and no new broken parent", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed);
    const lines = randomSession(random, { steps: 20 });
    const file = path.join(tempDir(), "s.jsonl");
    fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    const session = { sessionId: "s", projectKey: "-p", path: file };
    const messages = linesOf(file).filter(
      ({ type, uuid }) => uuid && (type === "user" || type === "assistant"),
    );
    const asked = [
      undefined,
      ...Array.from({ length: 4 }, () => messages[random.between(0, messages.length - 1)]?.uuid),
    ];
    for (const at of asked) {
      const { session: fork } = await forkSession(context, session, { at });
      const forked = fs.readFileSync(fork.path, "utf8") === "" ? [] : await conversationOf(fork.path);
      expect(forked, `seed ${seed} at ${at}`).toEqual(await conversationOf(file, at));
      const broken = fs.statSync(fork.path).size === 0 ? [] : dangling(fork.path);
      expect(broken, `seed ${seed} at ${at}`).toEqual(broken.filter((uuid) => dangling(file).includes(uuid)));
    }
  }
});

test("forkSession() of any shape of transcript can be followed by its parents alone", async () => {
  await fc.assert(
    fc.asyncProperty(drawnSession, async ({ jsonl, said, ...counts }) => {
      const file = path.join(tempDir(), "s.jsonl");
      fs.writeFileSync(file, jsonl);
      const { session, elsewhere, rejections } = await forkSession(context, {
        sessionId: "s",
        projectKey: "-p",
        path: file,
      });
      const { branches, agents, repeated, rejected } = counts;
      expect(rejections.length).toBe(rejected);
      expect(elsewhere).toMatchObject({ branches, agents, repeated, rejected });
      await using fork = await openForked(session.path);
      expect(fork.said).toEqual(said);
      expect({ turned: fork.parents.size, gaps: fork.gaps, elsewhere: fork.elsewhere }).toMatchObject({
        turned: 0,
        gaps: [],
        elsewhere: { branches: 0, agents: 0, repeated: 0, rejected: 0 },
      });
    }),
    { numRuns: 150 },
  );
});

async function openForked(file: string): Promise<Conversation & AsyncDisposable & { said: unknown[] }> {
  const conversation = await openConversation(file);
  const messages = [...conversation.entries()].filter(({ type }) => type === "user" || type === "assistant");
  return Object.assign(conversation, {
    said: messages.map((entry) => (entry as { uuid?: unknown }).uuid),
    async [Symbol.asyncDispose]() {
      conversation.close();
    },
  });
}

test("forkSession() takes the agents along that were launched in it, in the newer layout", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.runAgent("First", (agent) => agent.reply("done"));
  const at = session.leaf!;
  session.runAgent("Second", (agent) => agent.reply("done"));
  session.callTools({
    name: "Task",
    input: { prompt: "Third" },
    result: "done",
    toolUseResult: { agentId: "33333333" },
  });
  const written = session.write(context.configDir);
  const flatLine = JSON.stringify({
    type: "user",
    uuid: "x",
    isSidechain: true,
    agentId: "33333333",
    sessionId: written.sessionId,
  });
  fs.writeFileSync(
    path.join(path.dirname(written.path), "agent-33333333.jsonl"),
    `${flatLine}\n{"type":"torn\n`,
  );
  const [first, second] = session.agents as [TranscriptBuilder, TranscriptBuilder];
  const metaOf = (sessionId: string): string =>
    configPaths(context.configDir).nestedAgentMetaPath({
      projectKey: written.projectKey,
      sessionId,
      agentId: first.agentId!,
    });
  fs.writeFileSync(metaOf(written.sessionId), '{"agentType":"Explore"}');

  const part = await forkSession(context, written, { at });
  const whole = await forkSession(context, written);
  const idsOf = async ({ session: of }: ForkResult): Promise<Set<unknown>> =>
    new Set((await listAgents(of)).map(({ agentId, path: file }) => file && agentId));
  expect([await idsOf(part), await idsOf(whole)]).toEqual([
    new Set([first.agentId]),
    new Set([first.agentId, second.agentId, "33333333"]),
  ]);
  const copy = path.join(path.dirname(written.path), whole.session.sessionId, "subagents");
  expect(linesOf(path.join(copy, `agent-${first.agentId}.jsonl`))).toEqual(
    first.entries.map((entry) => Object.assign(entry, { sessionId: whole.session.sessionId })),
  );
  expect(textLines(path.join(copy, "agent-33333333.jsonl"))).toEqual([
    flatLine.replace(written.sessionId, whole.session.sessionId),
  ]);
  expect(fs.readFileSync(metaOf(whole.session.sessionId), "utf8")).toBe('{"agentType":"Explore"}');
});

test("forkSession() copies an agent once that lies there in both layouts", async () => {
  const session = new TranscriptBuilder();
  session.runAgent("First", (agent) => agent.reply("done"));
  const written = session.write(context.configDir);
  const name = `agent-${session.agents[0]!.agentId}.jsonl`;
  fs.writeFileSync(path.join(path.dirname(written.path), name), session.agents[0]!.jsonl());
  const { session: fork } = await forkSession(context, written);
  expect(fs.readdirSync(path.join(path.dirname(fork.path), fork.sessionId, "subagents"))).toEqual([name]);
});

test("forkSession() takes the file backups along that its messages name, and only those", async () => {
  const session = new TranscriptBuilder();
  const snapshot = (messageId: string, of: SampleEntry, backups: Record<string, unknown>): void => {
    session.meta("file-history-snapshot", {
      messageId,
      snapshot: { messageId: of.uuid, trackedFileBackups: backups },
      isSnapshotUpdate: messageId !== of.uuid,
    });
  };
  const first = session.prompt("a");
  snapshot(first.uuid!, first, {
    "a.ts": { backupFileName: "aaaaaaaaaaaaaaaa@v1", version: 1 },
    "new.ts": { backupFileName: null },
    "odd.ts": null,
  });
  const [edit] = session.reply("editing");
  snapshot(edit!.uuid!, first, {
    "b.ts": { backupFileName: "bbbbbbbbbbbbbbbb@v1" },
    "gone.ts": { backupFileName: "cccccccccccccccc@v1" },
  });
  session.meta("file-history-delta", {
    messageId: edit!.uuid,
    trackingPath: "d.ts",
    backup: { backupFileName: "dddddddddddddddd@v1" },
  });
  snapshot(edit!.uuid!, first, {
    evil: { backupFileName: "../../../x" },
    up: { backupFileName: ".." },
    dot: { backupFileName: "." },
    number: { backupFileName: 7 },
  });
  const at = session.leaf!;
  const later = session.prompt("b");
  snapshot(later.uuid!, later, { "e.ts": { backupFileName: "eeeeeeeeeeeeeeee@v1" } });
  const written = session.write(context.configDir);
  const fileHistoryDir = (sessionId: string): string =>
    configPaths(context.configDir).fileHistoryDir(sessionId);
  fs.mkdirSync(fileHistoryDir(written.sessionId), { recursive: true });
  for (const letter of ["a", "b", "d", "e"])
    fs.writeFileSync(path.join(fileHistoryDir(written.sessionId), `${letter.repeat(16)}@v1`), letter);

  const { session: fork } = await forkSession(context, written, { at });
  const copied = fs.readdirSync(fileHistoryDir(fork.sessionId)).sort();
  expect(copied).toEqual(["aaaaaaaaaaaaaaaa@v1", "bbbbbbbbbbbbbbbb@v1", "dddddddddddddddd@v1"]);
  expect(
    copied.map((name) => fs.readFileSync(path.join(fileHistoryDir(fork.sessionId), name), "utf8")),
  ).toEqual(["a", "b", "d"]);
  expect(linesOf(fork.path).filter(({ type }) => String(type).startsWith("file-history")).length).toBe(4);
});

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["the title that it is given", "Mine", "New", "New"],
  ["one that tells it from the first", "Mine", undefined, "Mine (fork)"],
  ["none where there is none", undefined, undefined, undefined],
  ["none where it was taken away", "", undefined, undefined],
])("forkSession() has %s", async (_what, customTitle, title, expected) => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  if (customTitle !== undefined) session.meta("custom-title", { customTitle: "Earlier" });
  if (customTitle !== undefined) session.meta("custom-title", { customTitle });
  const { session: fork } = await forkSession(context, session.write(context.configDir), { title });
  expect(getSummary(context, fork).title).toBe(expected);
});

test("forkSession() of a session with damaged lines leaves them behind", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.prompt("b");
  session.prompt("c");
  const written = session.write(context.configDir);
  const [a, b, c] = textLines(written.path) as [string, string, string];
  fs.writeFileSync(written.path, `${a}\n${b.slice(0, 30)}\n\0\0\n${c}`);
  const { session: fork } = await forkSession(context, written);
  expect(takenOver(fork.path).map(({ uuid }) => uuid)).toEqual([
    session.entries[0]!.uuid,
    session.entries[2]!.uuid,
  ]);
});

test("forkSession() leaves nothing behind when it fails, at whichever file call", async () => {
  const session = sampleSession();
  const snapshot = {
    messageId: session.entries[0]!.uuid,
    snapshot: { trackedFileBackups: { x: { backupFileName: "aaaaaaaaaaaaaaaa@v1" } } },
  };
  session.meta("file-history-snapshot", snapshot);
  const written = session.write(context.configDir);
  const backup = path.join(
    configPaths(context.configDir).fileHistoryDir(written.sessionId),
    "aaaaaaaaaaaaaaaa@v1",
  );
  fs.mkdirSync(path.dirname(backup), { recursive: true });
  fs.writeFileSync(backup, "x");
  const names = (): string[] =>
    fs.readdirSync(context.configDir, { recursive: true, encoding: "utf8" }).sort();
  const before = names();
  for (let n = 1; ; n++) {
    const { files, calls } = crashAt(n);
    const fork = await forkSession({ ...context, files }, written).catch(() => undefined);
    const left = fork ? [] : names().filter((name) => !before.includes(name));
    expect([left, listSessions(context).length], `call ${n}`).toEqual([[], fork ? 2 : 1]);
    if (!fork) continue;
    expect(n).toBe(calls() + 1);
    break;
  }
});

test("forkSession() makes a conversation whose last activity is that moment, and leaves the original where it was", async () => {
  const written = sampleSession().write(context.configDir);
  const before = getSummary(context, written);
  const { session: fork } = await forkSession(context, written);
  expect(getSummary(context, fork)).toMatchObject({ updatedAt: MADE_AT, startedAt: before.startedAt });
  expect(getSummary(context, written)).toEqual(before);
  const { session: second } = await forkSession(
    { ...context, clock: fakeClock("2026-09-01T00:00:00Z") },
    fork,
  );
  expect(linesOf(second.path).filter(({ type }) => type === "holdfast-forked")).toHaveLength(1);
});
