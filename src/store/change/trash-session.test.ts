import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { crashAt } from "../../../test/support/crash-at.ts";
import {
  fakeClock,
  sampleSession,
  tempDir,
  type FakeClock,
  type WrittenSession,
} from "../../../test/support/index.ts";
import { listSessions } from "../list/list-sessions.ts";
import { openSessionWriter, type StoreContext } from "../write/session-writer.ts";
import { listTrash, restoreSession, trashSession } from "./trash-session.ts";

let context: StoreContext & { clock: FakeClock };
let session: WrittenSession;

beforeEach(() => {
  context = { configDir: tempDir(), home: tempDir(), clock: fakeClock() };
  session = makeSession();
});

const companions = (sessionId: string): string[] => [
  `projects/-home-user-project/${sessionId}/tool-results/b1.txt`,
  `todos/${sessionId}-agent-${sessionId}.json`,
  `tasks/${sessionId}/1.json`,
  `tasks/${sessionId}/.lock`,
  `file-history/${sessionId}/0123456789abcdef@v1`,
  `session-env/${sessionId}/hook-0.sh`,
  `mcp-outputs/${sessionId}/mcp-output-x.json`,
];

/** A session with one of every companion. */
function makeSession(seed = "trash"): WrittenSession {
  const written = sampleSession({ seed }).write(context.configDir);
  for (const name of companions(written.sessionId)) {
    fs.mkdirSync(path.dirname(path.join(context.configDir, name)), { recursive: true });
    fs.writeFileSync(path.join(context.configDir, name), name);
  }
  const line = `${JSON.stringify({ type: "user", sessionId: written.sessionId })}\n`;
  fs.writeFileSync(path.join(path.dirname(written.path), `agent-${seed}.jsonl`), line);
  return written;
}

/** Every file below the config folder with what it holds. */
function contents(): Record<string, string> {
  const names = fs.readdirSync(context.configDir, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => fs.lstatSync(path.join(context.configDir, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name, fs.readFileSync(path.join(context.configDir, name), "utf8")]),
  );
}

const ids = (): string[] => listSessions({ configDir: context.configDir }).map(({ sessionId }) => sessionId);
// What a process that died leaves of its leases counts for nothing; here the process goes on living.
const forgetLeases = (): void =>
  fs.rmSync(path.join(context.home, "leases"), { recursive: true, force: true });

test("trashSession() takes the session away with every companion, and restoreSession() brings all back", () => {
  const before = contents();
  const trashed = trashSession(context, session);
  expect(trashed).toEqual({
    sessionId: session.sessionId,
    project: session.projectKey,
    title: "Fix the parser",
    trashedAt: "2026-01-02T03:04:05.000Z",
    bytes: Buffer.byteLength(before[path.relative(context.configDir, session.path)]!),
    dir: trashed.dir,
    // The transcript, its folder, the flat agent, and what lies elsewhere; a folder counts once.
    files: 8,
  });
  expect([contents(), listTrash(context), ids()]).toEqual([{}, [trashed], []]);
  expect([fs.statSync(trashed.dir).mode & 0o777, path.dirname(trashed.dir)]).toEqual([
    0o700,
    path.join(context.home, "trash"),
  ]);

  expect(restoreSession(context, session.sessionId)).toEqual({
    sessionId: session.sessionId,
    projectKey: session.projectKey,
    path: session.path,
  });
  expect([contents(), listTrash(context), ids()]).toEqual([before, [], [session.sessionId]]);
});

test("trashSession() leaves other sessions alone", () => {
  const other = makeSession("other");
  const before = contents();
  trashSession(context, session);
  const own = Object.keys(before).filter((name) => !(name in contents()));
  expect([ids(), own.length, own.some((name) => name.includes(other.sessionId))]).toEqual([
    [other.sessionId],
    10,
    false,
  ]);
});

test("restoreSession() brings everything back wherever trashSession() was cut off", () => {
  const before = contents();
  for (let n = 1; ; n++) {
    const { files, calls } = crashAt(n);
    let isWhole = true;
    try {
      trashSession({ ...context, files }, session);
    } catch {
      isWhole = false;
    }
    forgetLeases();
    const [trashed] = listTrash(context);
    if (trashed) restoreSession(context, session.sessionId);
    expect([contents(), listTrash(context)], `call ${n}`).toEqual([before, []]);
    if (!isWhole) continue;
    expect(n).toBe(calls() + 1);
    break;
  }
});

test("restoreSession() is finished by the same call again wherever it was cut off", () => {
  const before = contents();
  for (let n = 1; ; n++) {
    trashSession(context, session);
    const { files, calls } = crashAt(n);
    let isWhole = true;
    try {
      restoreSession({ ...context, files }, session.sessionId);
    } catch {
      isWhole = false;
      restoreSession(context, session.sessionId);
    }
    expect([contents(), listTrash(context)], `call ${n}`).toEqual([before, []]);
    if (!isWhole) continue;
    expect(n).toBe(calls() + 1);
    break;
  }
});

test("a session that is only half restored is not listed", () => {
  trashSession(context, session);
  const { files } = crashAt(6);
  expect(() => restoreSession({ ...context, files }, session.sessionId)).toThrow("died");
  expect([ids(), Object.keys(contents()).length > 0]).toEqual([[], true]);
});

test.each([
  ["the transcript", () => session.path],
  [
    "a companion",
    () => path.join(context.configDir, "todos", `${session.sessionId}-agent-${session.sessionId}.json`),
  ],
  ["a companion's folder", () => path.join(context.configDir, "tasks", session.sessionId)],
])("restoreSession() overwrites nothing where %s exists again", (_what, place) => {
  trashSession(context, session);
  fs.mkdirSync(path.dirname(place()), { recursive: true });
  fs.writeFileSync(place(), "new");
  const trashed = listTrash(context);
  expect(() => restoreSession(context, session.sessionId)).toThrow(
    expect.objectContaining({ code: "target_exists", fields: { path: place() } }),
  );
  expect([contents(), listTrash(context)]).toEqual([
    { [path.relative(context.configDir, place())]: "new" },
    trashed,
  ]);
  fs.rmSync(place());
  restoreSession(context, session.sessionId);
  expect(ids()).toEqual([session.sessionId]);
});

test("restoreSession() takes an id, in any case, or a prefix that only one trashed session has", () => {
  const other = makeSession("other");
  for (const each of [session, other]) trashSession(context, each);
  const restore = (id: string): string => restoreSession(context, id).sessionId;
  for (const id of ["", "zzzz", `${session.sessionId}x`])
    expect(() => restore(id)).toThrow(expect.objectContaining({ code: "trash_not_found" }));
  expect([restore(session.sessionId.slice(0, 8).toUpperCase()), restore(other.sessionId)]).toEqual([
    session.sessionId,
    other.sessionId,
  ]);
});

test("restoreSession() names the candidates of a prefix that several have, and takes a whole id all the same", () => {
  const dir = path.dirname(session.path);
  for (const sessionId of ["abcd", "abcdef"]) {
    const file = path.join(dir, `${sessionId}.jsonl`);
    fs.writeFileSync(file, `{"type":"custom-title","customTitle":"Title of ${sessionId}"}\n`);
    trashSession(context, { sessionId, projectKey: session.projectKey, path: file });
    context.clock.advance(1000);
  }
  const candidate = (sessionId: string): object => ({
    sessionId,
    project: session.projectKey,
    title: `Title of ${sessionId}`,
  });
  expect(() => restoreSession(context, "abc")).toThrow(
    expect.objectContaining({
      code: "session_ambiguous",
      fields: { candidates: [candidate("abcdef"), candidate("abcd")] },
    }),
  );
  expect(restoreSession(context, "abcd").sessionId).toBe("abcd");
});

test("a session that was trashed twice comes back as it was last, then as it was first", () => {
  fs.writeFileSync(session.path, '{"type":"first"}\n');
  trashSession(context, session);
  context.clock.advance(1000);
  makeSession();
  trashSession(context, session);
  expect(listTrash(context).map(({ trashedAt }) => trashedAt)).toEqual([
    "2026-01-02T03:04:06.000Z",
    "2026-01-02T03:04:05.000Z",
  ]);
  restoreSession(context, session.sessionId);
  expect(fs.readFileSync(session.path, "utf8")).not.toBe('{"type":"first"}\n');
  expect(() => restoreSession(context, session.sessionId)).toThrow(
    expect.objectContaining({ code: "target_exists" }),
  );
});

test("trashSession() leaves alone what somebody writes or has open", async () => {
  const before = contents();
  const writer = await openSessionWriter(context, { cwd: session.cwd, sessionId: session.sessionId });
  expect(() => trashSession(context, session)).toThrow(expect.objectContaining({ code: "conflict" }));
  await writer.close();
  const inUse = path.join(context.configDir, "sessions", `${process.pid}.json`);
  fs.mkdirSync(path.dirname(inUse));
  fs.writeFileSync(inUse, JSON.stringify({ sessionId: session.sessionId }));
  expect(() => trashSession(context, session)).toThrow(expect.objectContaining({ code: "session_in_use" }));
  fs.rmSync(path.dirname(inUse), { recursive: true });
  expect([contents(), listTrash(context)]).toEqual([before, []]);
});

test("trashSession() puts nothing into the trash for a session that is gone", () => {
  fs.rmSync(session.path);
  expect(() => trashSession(context, session)).toThrow(
    expect.objectContaining({ code: "session_not_found" }),
  );
  expect(listTrash(context)).toEqual([]);
});

test("listTrash() leaves out what is no trashed session, and is empty before anything was trashed", () => {
  expect(listTrash(context)).toEqual([]);
  const trashed = trashSession(context, session);
  const trashDir = path.join(context.home, "trash");
  fs.mkdirSync(path.join(trashDir, "no-manifest"));
  for (const [name, content] of Object.entries({
    torn: '{"version":1',
    empty: '{"version":1,"items":[]}',
    other: '{"version":2,"items":[{}]}',
    list: "[]",
    null: "null",
  })) {
    fs.mkdirSync(path.join(trashDir, name));
    fs.writeFileSync(path.join(trashDir, name, "manifest.json"), content);
  }
  fs.writeFileSync(path.join(trashDir, "file"), "");
  expect(listTrash(context)).toEqual([trashed]);
});
