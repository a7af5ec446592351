import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  failingFileOps,
  fakeClock,
  sampleSession,
  tempDir,
  TranscriptBuilder,
} from "../../../test/support/index.ts";
import { parseEntry } from "../../format/entries/entry.ts";
import { configPaths } from "../../format/paths.ts";
import { readConversation } from "../read/conversation.ts";
import { openSessionWriter, type EntryDraft, type StoreContext } from "./session-writer.ts";

let context: StoreContext;
const cwd = "/home/user/project";
const sessionId = "11111111-2222-4333-8444-555555555555";

beforeEach(() => {
  context = { configDir: tempDir(), home: tempDir(), clock: fakeClock() };
});

const prompt = (text: string): EntryDraft => ({ type: "user", message: { role: "user", content: text } });
const linesOf = (file: string): Record<string, unknown>[] =>
  fs
    .readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const uuidsOf = async (file: string): Promise<unknown[]> =>
  (await readConversation(file)).entries.map((entry) => (entry as { uuid?: string }).uuid);

test("append() gives an entry its envelope, in the client's order, and hangs it on the one before", async () => {
  await using writer = await openSessionWriter(context, { cwd, sessionId, gitBranch: "main" });
  const first = await writer.append(prompt("a"));
  const second = await writer.append({
    type: "assistant",
    message: { id: "m", content: [] },
    requestId: "r",
  });
  const envelope = {
    timestamp: "2026-01-02T03:04:05.000Z",
    userType: "external",
    entrypoint: "holdfast",
    cwd,
    sessionId,
    version: "0.1.0",
    gitBranch: "main",
  };
  const lines = linesOf(writer.session.path);
  expect(lines).toEqual([
    { parentUuid: null, isSidechain: false, ...prompt("a"), uuid: first, ...envelope },
    {
      parentUuid: first,
      isSidechain: false,
      type: "assistant",
      message: { id: "m", content: [] },
      requestId: "r",
      uuid: second,
      ...envelope,
    },
  ]);
  expect(Object.keys(lines[0]!)).toEqual([
    "parentUuid",
    "isSidechain",
    "type",
    "message",
    "uuid",
    ...Object.keys(envelope),
  ]);
  expect({ session: writer.session, leaf: writer.leaf }).toEqual({
    session: {
      sessionId,
      projectKey: "-home-user-project",
      path: configPaths(context.configDir).transcriptPath({ projectKey: "-home-user-project", sessionId }),
    },
    leaf: second,
  });
});

test("append() takes a uuid, a parent and a moment that are given, and only null for a new beginning", async () => {
  await using writer = await openSessionWriter(context, { cwd, sessionId });
  await writer.append({ ...prompt("a"), uuid: "a", timestamp: "2020-01-01T00:00:00.000Z" });
  await writer.append({ ...prompt("b"), uuid: "b", parentUuid: undefined, timestamp: undefined });
  await writer.append({ ...prompt("c"), uuid: "c", parentUuid: "a" });
  await writer.append({ ...prompt("d"), uuid: "d", parentUuid: null });
  expect(
    linesOf(writer.session.path).map(({ uuid, parentUuid, timestamp }) => [uuid, parentUuid, timestamp]),
  ).toEqual([
    ["a", null, "2020-01-01T00:00:00.000Z"],
    ["b", "a", "2026-01-02T03:04:05.000Z"],
    ["c", "a", "2026-01-02T03:04:05.000Z"],
    ["d", null, "2026-01-02T03:04:05.000Z"],
  ]);
});

test("append() keeps the order of calls that nobody waited for", async () => {
  await using writer = await openSessionWriter(context, { cwd, sessionId });
  const uuids = await Promise.all(
    Array.from({ length: 50 }, (_, index) => writer.append(prompt(`${index}`))),
  );
  expect(await uuidsOf(writer.session.path)).toEqual(uuids);
});

test("append() loses no acknowledged entry, and goes on at the last one, whichever write fails", async () => {
  for (let n = 2; n <= 4; n++) {
    const { files } = failingFileOps(n, { call: "write", error: "ENOSPC" });
    await using writer = await openSessionWriter({ ...context, files }, { cwd, sessionId: `session-${n}` });
    const settled = await Promise.allSettled(["a", "b", "c", "d"].map((text) => writer.append(prompt(text))));
    const written = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(writer.leaf).toBe(written.at(-1) ?? null);
    const more = await Promise.allSettled([writer.append(prompt("e"))]);
    written.push(...more.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
    const last = await writer.append(prompt("f"));
    expect(await uuidsOf(writer.session.path)).toEqual([...written, last]);
  }
});

test.each([
  [{ type: "nonsense" }, 'type "nonsense" is none'],
  [{}, "type is missing"],
  [null, "not an object"],
  [{ type: "user" }, 'no "message"'],
  [{ type: "user", message: { role: "user" } }, '"message.content"'],
  [{ type: "assistant", message: { content: [{ text: "a" }] } }, "blocks with a type"],
  [{ type: "user", message: { role: 1, content: "a" } }, '"message.role"'],
  [{ type: "attachment" }, '"attachment"'],
  [{ type: "system", content: 7 }, '"content"'],
  [{ ...prompt("a"), uuid: "" }, '"uuid"'],
  [{ ...prompt("a"), parentUuid: 7 }, '"parentUuid"'],
  [{ ...prompt("a"), timestamp: new Date(0) }, '"timestamp"'],
])("append() refuses %j and writes nothing", async (draft, why) => {
  await using writer = await openSessionWriter(context, { cwd, sessionId });
  const first = await writer.append(prompt("a"));
  const refused = { code: "entry_invalid", message: expect.stringContaining(why) as string };
  await expect(writer.append(draft as EntryDraft)).rejects.toMatchObject(refused);
  expect({ leaf: writer.leaf, lines: linesOf(writer.session.path).length }).toEqual({
    leaf: first,
    lines: 1,
  });
});

test("append() takes every kind of entry that the format takes", async () => {
  await using writer = await openSessionWriter(context, { cwd, sessionId });
  const drafts: EntryDraft[] = [
    prompt("a"),
    { type: "assistant", message: { id: "m", content: [{ type: "text", text: "b" }] } },
    { type: "system", subtype: "local_command", content: "c" },
    { type: "attachment", attachment: { type: "queued_command", prompt: "d" } },
  ];
  for (const draft of drafts) await writer.append(draft);
  const parsed = linesOf(writer.session.path).map((line) => parseEntry(line).ok);
  expect(parsed).toEqual(drafts.map(() => true));
});

test("append() leaves the leaf where it was when an entry cannot be written down at all", async () => {
  await using writer = await openSessionWriter(context, { cwd, sessionId });
  const first = await writer.append(prompt("a"));
  await expect(writer.append({ ...prompt("b"), toolUseResult: 1n })).rejects.toThrow("BigInt");
  expect(writer.leaf).toBe(first);
});

test("openSessionWriter() goes on at the newest message", async () => {
  const session = sampleSession({ cwd });
  session.write(context.configDir);
  const whole = await readConversation(session.write(context.configDir).path);
  await using writer = await openSessionWriter(context, { cwd, sessionId: session.sessionId });
  expect(writer.leaf).toBe(session.leaf);
  await writer.append(prompt("more"));
  const { entries, gaps } = await readConversation(writer.session.path);
  expect([entries.slice(0, -1), gaps]).toEqual([whole.entries, []]);
});

test("openSessionWriter() goes on behind a prompt that was typed last and never became a message", async () => {
  const session = new TranscriptBuilder({ cwd });
  session.prompt("a");
  session.queue("enqueue", "typed meanwhile");
  session.queue("remove");
  session.write(context.configDir);
  await using writer = await openSessionWriter(context, { cwd, sessionId: session.sessionId });
  expect(writer.leaf).toBe(session.leaf);
});

test("openSessionWriter() goes on behind what a compaction preserved, as the client does", async () => {
  const session = new TranscriptBuilder({ cwd });
  session.prompt("a");
  const preserve = session.reply("b");
  session.compact("summary", { preserve });
  session.write(context.configDir);
  await using writer = await openSessionWriter(context, { cwd, sessionId: session.sessionId });
  expect(writer.leaf).toBe(preserve[0]!.uuid);
});

test("openSessionWriter() closes what a dead writer left open, and goes on before it", async () => {
  const session = new TranscriptBuilder({ cwd });
  session.prompt("a");
  const { path: file } = session.write(context.configDir);
  fs.appendFileSync(file, '{"type":"user","uuid":"torn');
  await using writer = await openSessionWriter(context, { cwd, sessionId: session.sessionId });
  const next = await writer.append(prompt("b"));
  const { entries, rejections } = await readConversation(file);
  expect([
    entries.map((entry) => (entry as { uuid?: string }).uuid),
    rejections.map(({ reason }) => reason),
  ]).toEqual([[session.leaf, next], ["torn"]]);
});

test("openSessionWriter() writes a sub-agent's transcript beside the session's, as a sidechain", async () => {
  await using main = await openSessionWriter(context, { cwd, sessionId });
  await using agent = await openSessionWriter(context, { cwd, sessionId, agentId: "a1234567" });
  await main.append(prompt("main"));
  const first = await agent.append(prompt("task"));
  await agent.append({ type: "assistant", message: { content: [] } });
  expect(agent.session.path).toBe(
    path.join(path.dirname(main.session.path), sessionId, "subagents", "agent-a1234567.jsonl"),
  );
  expect(linesOf(agent.session.path)).toMatchObject([
    { parentUuid: null, isSidechain: true, agentId: "a1234567", sessionId },
    { parentUuid: first, isSidechain: true, agentId: "a1234567", sessionId },
  ]);
  await agent.close();
  await using again = await openSessionWriter(context, { cwd, sessionId, agentId: "a1234567" });
  expect(again.leaf).toBe(agent.leaf);
});

test("appendMeta() adds a line outside the conversation, with the session's id", async () => {
  await using writer = await openSessionWriter(context, { cwd, sessionId });
  const leaf = await writer.append(prompt("a"));
  await writer.appendMeta({ type: "custom-title", customTitle: "t", sessionId: "another" });
  expect([linesOf(writer.session.path)[1], writer.leaf]).toEqual([
    { type: "custom-title", customTitle: "t", sessionId },
    leaf,
  ]);
});

test("openSessionWriter() makes private files, and a random id when none is given", async () => {
  await using writer = await openSessionWriter(context, { cwd });
  await writer.append(prompt("a"));
  expect(writer.session.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect([
    fs.statSync(writer.session.path).mode & 0o777,
    fs.statSync(path.dirname(writer.session.path)).mode & 0o777,
  ]).toEqual([0o600, 0o700]);
});

test("openSessionWriter() lets only one write a session, and says who does", async () => {
  const first = await openSessionWriter(context, { cwd, sessionId });
  await expect(openSessionWriter(context, { cwd, sessionId })).rejects.toMatchObject({
    code: "conflict",
    fields: { pid: process.pid, subject: sessionId },
  });
  await first.close();
  await (await openSessionWriter(context, { cwd, sessionId })).close();
});

test("openSessionWriter() leaves a session alone that a client has open, until the client is gone", async () => {
  const dir = path.join(context.configDir, "sessions");
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, `${process.pid}.json`), JSON.stringify({ pid: process.pid, sessionId }));
  await expect(openSessionWriter(context, { cwd, sessionId })).rejects.toMatchObject({
    code: "session_in_use",
    retryable: true,
    fields: { pid: process.pid, sessionId },
  });
  expect(fs.readdirSync(context.configDir)).toEqual(["sessions"]);
  fs.renameSync(path.join(dir, `${process.pid}.json`), path.join(dir, "4194999.json"));
  await (await openSessionWriter(context, { cwd, sessionId })).close();
});

test.each(["../escape", "a/b", "..", ".", "", "a\0b", "x".repeat(300)])(
  "openSessionWriter() refuses to make a path of the session id %j",
  async (id) => {
    await expect(openSessionWriter(context, { cwd, sessionId: id })).rejects.toThrow(/Cannot/);
    expect(fs.readdirSync(context.configDir)).toEqual([]);
  },
);

test("openSessionWriter() refuses to make a path of an agent id, and holds no lease afterwards", async () => {
  await expect(openSessionWriter(context, { cwd, sessionId, agentId: "../../x" })).rejects.toThrow(
    RangeError,
  );
  expect([fs.readdirSync(context.configDir), fs.readdirSync(context.home)]).toEqual([[], []]);
});

test("openSessionWriter() follows no link in the place of the transcript", async () => {
  const elsewhere = path.join(tempDir(), "precious");
  fs.writeFileSync(elsewhere, "precious\n");
  const file = configPaths(context.configDir).transcriptPath({ projectKey: "-home-user-project", sessionId });
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.symlinkSync(elsewhere, file);
  await expect(openSessionWriter(context, { cwd, sessionId })).rejects.toMatchObject({ code: "unsafe_path" });
  expect(fs.readFileSync(elsewhere, "utf8")).toBe("precious\n");
});
