import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { failingFileOps, sampleSession, tempDir, type WrittenSession } from "../../../test/support/index.ts";
import { tagLengthMax, titleLengthMax } from "../limits.ts";
import { renameSession, tagSession } from "./annotate-session.ts";
import { readConversation } from "../read/conversation.ts";
import { getSummary } from "../list/list-sessions.ts";
import { openSessionWriter, type StoreContext } from "../write/session-writer.ts";

let context: StoreContext;
let session: WrittenSession;
let before: string;

beforeEach(() => {
  context = { configDir: tempDir(), home: tempDir() };
  session = sampleSession().write(context.configDir);
  before = fs.readFileSync(session.path, "utf8");
});

const added = (): string => fs.readFileSync(session.path, "utf8").slice(before.length);
const shown = (): unknown => {
  const { title, tag } = getSummary(context, session);
  return { title, tag };
};

test("renameSession() and tagSession() each add one line as the client does, and the last one wins", async () => {
  await renameSession(context, session, "First");
  await renameSession(context, session, "  Second \n line ");
  await tagSession(context, session, "wip");
  const { sessionId } = session;
  expect(added().split("\n")).toEqual([
    JSON.stringify({ type: "custom-title", customTitle: "First", sessionId }),
    JSON.stringify({ type: "custom-title", customTitle: "Second line", sessionId }),
    JSON.stringify({ type: "tag", tag: "wip", sessionId }),
    "",
  ]);
  expect(shown()).toEqual({ title: "Second line", tag: "wip" });
  expect(fs.readFileSync(session.path, "utf8").startsWith(before)).toBe(true);
});

test("renameSession() changes nothing in the conversation", async () => {
  const { entries } = await readConversation(session.path);
  await renameSession(context, session, "New");
  expect((await readConversation(session.path)).entries).toEqual(entries);
});

test.each([
  ["title", renameSession, titleLengthMax],
  ["tag", tagSession, tagLengthMax],
] as const)(
  "a %s may be as long as the limit, not longer, and not empty",
  async (_what, annotate, lengthMax) => {
    const annotateWith = async (text: string): Promise<void> => annotate(context, session, text);
    await annotateWith("x".repeat(lengthMax));
    const kept = added();
    for (const text of ["x".repeat(lengthMax + 1), "", " \n\t "])
      await expect(annotateWith(text)).rejects.toThrow(RangeError);
    expect(added()).toBe(kept);
  },
);

test("renameSession() keeps any text", async () => {
  const title = '"quoted" \\ ü 漢 🙂 \u001b[31m</title>';
  await renameSession(context, session, title);
  expect(shown()).toEqual({ title, tag: undefined });
});

test("renameSession() closes a torn last line before it adds its own", async () => {
  fs.appendFileSync(session.path, '{"type":"user","torn');
  await renameSession(context, session, "New");
  expect(shown()).toEqual({ title: "New", tag: undefined });
});

test("renameSession() makes no session out of one that is gone", async () => {
  fs.rmSync(session.path);
  await expect(renameSession(context, session, "Ghost")).rejects.toMatchObject({ code: "session_not_found" });
  expect(fs.existsSync(session.path)).toBe(false);
});

test("renameSession() is refused while another writes the session, and lets nothing behind", async () => {
  const writer = await openSessionWriter(context, { cwd: session.cwd, sessionId: session.sessionId });
  await expect(renameSession(context, session, "New")).rejects.toMatchObject({
    code: "conflict",
    fields: { pid: process.pid },
  });
  await writer.close();
  await renameSession(context, session, "New");
  expect(fs.readdirSync(path.join(context.home, "leases"))).toEqual([]);
});

test.each(["write", "sync"] as const)("renameSession() says so when its %s fails", async (call) => {
  // The lease is written and synced first, so the note's own call comes later.
  for (let n = 1; n <= 8; n++) {
    const { files, calls } = failingFileOps(n, { call, error: "EIO" });
    const renamed = renameSession({ ...context, files }, session, `Title ${n}`);
    const outcome = await renamed.then(
      () => "written",
      () => "failed",
    );
    expect(outcome).toBe(calls() >= n ? "failed" : "written");
  }
});
