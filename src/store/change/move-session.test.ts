import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { crashAt } from "../../../test/support/crash-at.ts";
import { fakeClock, sampleSession, tempDir, type WrittenSession } from "../../../test/support/index.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import { readConversation } from "../read/conversation.ts";
import { findSession } from "../list/find-session.ts";
import { listSessions } from "../list/list-sessions.ts";
import { moveSession } from "./move-session.ts";
import { listAgents } from "../list/session-agents.ts";
import { openSessionWriter, type StoreContext } from "../write/session-writer.ts";

let context: StoreContext;
let session: WrittenSession;
const cwd = "/home/user/renamed";

beforeEach(() => {
  context = { configDir: tempDir(), home: tempDir(), clock: fakeClock() };
  session = sampleSession().write(context.configDir);
  const own = path.join(path.dirname(session.path), session.sessionId, "tool-results");
  fs.mkdirSync(own, { recursive: true });
  fs.writeFileSync(path.join(own, "b1.txt"), "output");
  const line = `${JSON.stringify({ type: "user", sessionId: session.sessionId })}\n`;
  fs.writeFileSync(path.join(path.dirname(session.path), "agent-11111111.jsonl"), line);
  fs.writeFileSync(
    path.join(path.dirname(session.path), "agent-22222222.jsonl"),
    line.replace(session.sessionId, "another"),
  );
});

const names = (project: string): string[] => {
  const dir = path.join(context.configDir, "projects", project);
  if (!fs.existsSync(dir)) return [];
  const all = fs.readdirSync(dir, { recursive: true, encoding: "utf8" });
  return all.filter((name) => fs.lstatSync(path.join(dir, name)).isFile()).sort();
};
const forgetLeases = (): void =>
  fs.rmSync(path.join(context.home, "leases"), { recursive: true, force: true });

test("moveSession() files a session with its companions under another directory, and says so in a line", async () => {
  const before = { bytes: fs.readFileSync(session.path, "utf8"), names: names("-home-user-project") };
  const moved = await moveSession(context, session, cwd);
  expect(moved).toEqual({
    sessionId: session.sessionId,
    projectKey: "-home-user-renamed",
    path: path.join(context.configDir, "projects", "-home-user-renamed", `${session.sessionId}.jsonl`),
  });
  expect([names("-home-user-project"), names("-home-user-renamed")]).toEqual([
    ["agent-22222222.jsonl"],
    before.names.filter((name) => name !== "agent-22222222.jsonl"),
  ]);
  const line = {
    type: "holdfast-moved",
    cwd,
    fromProject: "-home-user-project",
    sessionId: session.sessionId,
    timestamp: "2026-01-02T03:04:05.000Z",
  };
  expect(fs.readFileSync(moved.path, "utf8")).toBe(`${before.bytes}${JSON.stringify(line)}\n`);
});

test("moveSession() keeps the conversation and the agents, and lists the session where it is now", async () => {
  const { entries } = await readConversation(session.path);
  const agents = (await listAgents(session)).map(({ agentId }) => agentId);
  const moved = await moveSession(context, session, cwd);
  const list = (of: string): string[] => listSessions(context, { cwd: of }).map(({ sessionId }) => sessionId);
  expect({
    entries: (await readConversation(moved.path)).entries,
    agents: (await listAgents(moved)).map(({ agentId }) => agentId),
    lists: [list(cwd), list("/home/user/project")],
    summary: listSessions(context)[0]!.cwd,
    found: findSession(context.configDir, session.sessionId),
  }).toEqual({ entries, agents, lists: [[session.sessionId], []], summary: cwd, found: moved });
});

test("moveSession() back and forth ends where it began, also for a path longer than a folder name can be", async () => {
  const far = `/home/${"directory/".repeat(40)}`;
  const there = await moveSession(context, session, far);
  expect(listSessions(context, { cwd: far }).map(({ sessionId }) => sessionId)).toEqual([session.sessionId]);
  const { projectKey, sessionId, path: file } = session;
  expect(await moveSession(context, there, session.cwd)).toEqual({ projectKey, sessionId, path: file });
});

test("moveSession() to where it is does nothing", async () => {
  const before = fs.readFileSync(session.path, "utf8");
  expect(await moveSession(context, session, session.cwd)).toEqual(session);
  expect(fs.readFileSync(session.path, "utf8")).toBe(before);
});

test("moveSession() loses nothing wherever it is cut off, and is finished by the same call again", async () => {
  const before = names("-home-user-project");
  const { entries } = await readConversation(session.path);
  for (let n = 1; ; n++) {
    const { files, calls } = crashAt(n);
    const cut = await moveSession({ ...context, files }, session, cwd).catch(() => undefined);
    forgetLeases();
    const all = new Set([...names("-home-user-project"), ...names("-home-user-renamed")]);
    expect([...all].sort(), `call ${n}`).toEqual(before);
    // Whoever looks now finds it in one place or the other; in both only between the two halves of the last move.
    const places = ["-home-user-project", "-home-user-renamed"].filter((each) =>
      names(each).includes(`${session.sessionId}.jsonl`),
    );
    expect(places.length, `call ${n}`).toBeGreaterThan(0);
    if (places.includes("-home-user-project")) await moveSession(context, session, cwd);
    expect([names("-home-user-project"), names("-home-user-renamed").length], `call ${n}`).toEqual([
      ["agent-22222222.jsonl"],
      before.length - 1,
    ]);
    const moved = findSession(context.configDir, session.sessionId);
    expect((await readConversation(moved.path)).entries, `call ${n}`).toEqual(entries);
    await moveSession(context, moved, session.cwd);
    if (!cut) continue;
    expect(n).toBe(calls() + 1);
    break;
  }
});

test("moveSession() finishes a move that died between the link and the removal of the old name", async () => {
  const unlinkSync: typeof fs.unlinkSync = (file) => {
    if (String(file) === session.path) throw Object.assign(new Error("EIO"), { code: "EIO" });
    fs.unlinkSync(file);
  };
  await expect(
    moveSession({ ...context, files: { ...nodeFileOps, unlinkSync } }, session, cwd),
  ).rejects.toThrow("EIO");
  expect(() => findSession(context.configDir, session.sessionId)).toThrow(
    expect.objectContaining({ code: "session_ambiguous" }),
  );
  const moved = await moveSession(context, session, cwd);
  expect(findSession(context.configDir, session.sessionId)).toEqual(moved);
});

test("moveSession() replaces no session of the same id", async () => {
  const target = path.join(context.configDir, "projects", "-home-user-renamed", `${session.sessionId}.jsonl`);
  fs.mkdirSync(path.dirname(target));
  fs.writeFileSync(target, "precious\n");
  const before = fs.readFileSync(session.path, "utf8");
  await expect(moveSession(context, session, cwd)).rejects.toMatchObject({
    code: "target_exists",
    fields: { path: target },
  });
  expect([fs.readFileSync(target, "utf8"), fs.readFileSync(session.path, "utf8")]).toEqual([
    "precious\n",
    before,
  ]);
});

test("moveSession() leaves alone what somebody writes or has open, and what is gone", async () => {
  const before = names("-home-user-project");
  const writer = await openSessionWriter(context, { cwd: session.cwd, sessionId: session.sessionId });
  await expect(moveSession(context, session, cwd)).rejects.toMatchObject({ code: "conflict" });
  await writer.close();
  const inUse = path.join(context.configDir, "sessions", `${process.pid}.json`);
  fs.mkdirSync(path.dirname(inUse));
  fs.writeFileSync(inUse, JSON.stringify({ sessionId: session.sessionId }));
  await expect(moveSession(context, session, cwd)).rejects.toMatchObject({
    code: "session_in_use",
    fields: { pid: process.pid },
  });
  fs.rmSync(inUse);
  expect([names("-home-user-project"), names("-home-user-renamed")]).toEqual([before, []]);
  fs.rmSync(session.path);
  await expect(moveSession(context, session, cwd)).rejects.toMatchObject({ code: "session_not_found" });
  expect(names("-home-user-renamed")).toEqual([]);
});
