import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { crashAt } from "../../../test/support/crash-at.ts";
import { fakeClock, sampleSession, tempDir, type FakeClock } from "../../../test/support/index.ts";
import { projectKey } from "../../format/paths.ts";
import { listSessions } from "../list/list-sessions.ts";
import { openSessionWriter, type StoreContext } from "../write/session-writer.ts";
import { resetProject, undoReset } from "./reset-project.ts";
import { listTrash, restoreSession } from "./trash-session.ts";

const CWD = "/home/user/project";
let context: StoreContext & { clock: FakeClock };
let ids: string[];

beforeEach(() => {
  context = { configDir: tempDir(), home: tempDir(), clock: fakeClock() };
  ids = ["one", "two"].map((seed) => addSession(seed, CWD));
});

const under = (...names: string[]): string => path.join(context.configDir, ...names);

function put(file: string, content = file): void {
  fs.mkdirSync(path.dirname(under(file)), { recursive: true });
  fs.writeFileSync(under(file), content);
}

/** A session with an agent, to-dos and the copy of a file. */
function addSession(seed: string, cwd: string): string {
  const { sessionId } = sampleSession({ seed, cwd }).write(context.configDir);
  put(`projects/${projectKey(cwd)}/${sessionId}/subagents/agent-a0.jsonl`, agentLine(sessionId, cwd));
  put(`todos/${sessionId}-agent-${sessionId}.json`);
  put(`file-history/${sessionId}/0123456789abcdef@v1`);
  return sessionId;
}

function agentLine(sessionId: string, cwd: string): string {
  return `${JSON.stringify({ type: "user", sessionId, cwd, agentId: "a0" })}\n`;
}

/** Every file below the config folder with what it holds. */
function contents(): Record<string, string> {
  const names = fs.readdirSync(context.configDir, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => fs.lstatSync(under(name)).isFile());
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(under(name), "utf8")]));
}

const listed = (): string[] =>
  listSessions({ configDir: context.configDir }).map(({ sessionId }) => sessionId);
// What a process that died leaves of its leases counts for nothing; here the process goes on living.
const forgetLeases = (): void =>
  fs.rmSync(path.join(context.home, "leases"), { recursive: true, force: true });

test("resetProject() takes the whole history of a project away, and undoReset() brings all of it back", () => {
  const gone = "5e551000-0000-4000-8000-00000000dead";
  const folder = `projects/${projectKey(CWD)}`;
  put(`${folder}/${gone}/subagents/agent-a1.jsonl`, agentLine(gone, CWD));
  put(`${folder}/agent-a2.jsonl`, agentLine(gone, CWD));
  put(`todos/${gone}-agent-${gone}.json`);
  put(`${folder}/memory/MEMORY.md`);
  // The folder has the same name, and is another project.
  const other = addSession("three", "/home/user-project");
  const inside = addSession("four", `${CWD}/inside`);
  const before = contents();
  const reset = resetProject(context, CWD);
  expect(reset).toMatchObject({ archived: 0 });
  expect(reset.sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual([...ids, gone].toSorted());
  expect(listed().toSorted()).toEqual([other, inside].toSorted());
  const left = Object.keys(contents());
  expect(
    left.filter((name) => [...ids, gone].some((id) => name.includes(id)) || name.endsWith("agent-a2.jsonl")),
  ).toEqual([]);
  expect(left).toContain(`${folder}/memory/MEMORY.md`);
  expect(undoReset(context, CWD)).toHaveLength(3);
  expect(contents()).toEqual(before);
  expect([listTrash(context), fs.readdirSync(path.join(context.home, "trash"))]).toEqual([[], []]);
});

test("undoReset() undoes the last reset, then the one before; what was removed alone stays in the trash", () => {
  resetProject(context, CWD);
  context.clock.advance(1000);
  const later = addSession("later", CWD);
  resetProject(context, CWD);
  expect(undoReset(context, CWD).map(({ sessionId }) => sessionId)).toEqual([later]);
  restoreSession(context, ids[0]!);
  expect(undoReset(context, CWD).map(({ sessionId }) => sessionId)).toEqual([ids[1]]);
  expect(() => undoReset(context, CWD)).toThrow(expect.objectContaining({ code: "trash_not_found" }));
  expect(listed().toSorted()).toEqual([...ids, later].toSorted());
});

test("undoReset() brings everything back wherever resetProject() died, also when it was called again", () => {
  const before = contents();
  for (let n = 1; ; n++) {
    const { files, calls } = crashAt(n);
    let isWhole = true;
    try {
      resetProject({ ...context, files }, CWD);
    } catch {
      isWhole = false;
    }
    forgetLeases();
    const isCalledAgain = n % 2 === 0;
    if (isCalledAgain) resetProject(context, CWD);
    const left = isCalledAgain ? listed() : [];
    if (listTrash(context).length > 0) undoReset(context, CWD);
    expect([left, contents(), listTrash(context)], `call ${n}`).toEqual([[], before, []]);
    fs.rmSync(path.join(context.home, "trash"), { recursive: true, force: true });
    if (!isWhole) continue;
    expect(n).toBe(calls() + 1);
    break;
  }
});

test("undoReset() is finished by the same call again wherever it died, and overwrites nothing", () => {
  const before = contents();
  for (let n = 1; ; n++) {
    resetProject(context, CWD);
    const { files, calls } = crashAt(n);
    let isWhole = true;
    try {
      undoReset({ ...context, files }, CWD);
    } catch {
      isWhole = false;
      forgetLeases();
      if (listTrash(context).length > 0) undoReset(context, CWD);
    }
    expect([contents(), listTrash(context)], `call ${n}`).toEqual([before, []]);
    if (!isWhole) continue;
    expect(n).toBe(calls() + 1);
    break;
  }
  resetProject(context, CWD);
  put(`todos/${ids[1]}-agent-${ids[1]}.json`, "new");
  expect(() => undoReset(context, CWD)).toThrow(expect.objectContaining({ code: "target_exists" }));
  expect(listed()).toEqual([]);
});

test("resetProject() moves nothing while a session, or an agent of one, is in use", async () => {
  const before = contents();
  for (const agentId of [undefined, "a0"]) {
    const writer = await openSessionWriter(context, { cwd: CWD, sessionId: ids[1], agentId });
    expect(() => resetProject(context, CWD)).toThrow(expect.objectContaining({ code: "conflict" }));
    await writer.close();
  }
  put(`sessions/${process.pid}.json`, JSON.stringify({ sessionId: ids[0] }));
  expect(() => resetProject(context, CWD)).toThrow(expect.objectContaining({ code: "session_in_use" }));
  fs.rmSync(under("sessions"), { recursive: true });
  expect([contents(), listTrash(context)]).toEqual([before, []]);
});
