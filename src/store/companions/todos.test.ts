import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { failingFileOps, tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { companionBytesMax } from "./limits.ts";
import { writeLegacyTodos } from "./legacy-todos.ts";
import { readTaskList } from "./task-list.ts";
import { readTodos } from "./todos.ts";

function put(dir: string, name: string, content: unknown): string {
  const file = path.join(dir, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

describe("readTodos()", () => {
  it("reads task lists and legacy lists of both shapes, the session's own before its agents'", async () => {
    const configDir = tempDir();
    const session = new TranscriptBuilder().write(configDir);
    const { sessionId } = session;
    const tasks = path.dirname(
      put(configDir, `tasks/${sessionId}/10.json`, {
        id: "10",
        subject: "Ten",
        description: "later",
        status: "pending",
        blocks: [],
        blockedBy: ["2"],
      }),
    );
    put(tasks, "2.json", {
      id: "2",
      subject: "Two",
      status: "in_progress",
      activeForm: "Doing two",
      owner: "me",
      blocks: ["10"],
    });
    put(tasks, ".lock", "");
    put(tasks, ".highwatermark", "12");
    const agents = put(configDir, `todos/${sessionId}-agent-a1b2c3d.json`, [
      { content: "Old", id: "1", priority: "high", status: "completed" },
    ]);
    const own = put(configDir, `todos/${sessionId}-agent-${sessionId}.json`, [
      { content: "New", status: "pending", activeForm: "Newing" },
    ]);
    put(configDir, "todos/00000000-0000-4000-8000-000000000000-agent-x.json", [
      { content: "Other", status: "pending" },
    ]);

    expect(await readTodos({ configDir, session })).toEqual({
      lists: [
        {
          source: "tasks",
          path: tasks,
          highWatermark: 12,
          items: [
            {
              id: "2",
              subject: "Two",
              status: "in_progress",
              activeForm: "Doing two",
              owner: "me",
              blocks: ["10"],
            },
            {
              id: "10",
              subject: "Ten",
              description: "later",
              status: "pending",
              blocks: [],
              blockedBy: ["2"],
            },
          ],
        },
        {
          source: "todos",
          path: own,
          agentId: sessionId,
          items: [{ subject: "New", status: "pending", activeForm: "Newing" }],
        },
        {
          source: "todos",
          path: agents,
          agentId: "a1b2c3d",
          items: [{ id: "1", subject: "Old", priority: "high", status: "completed" }],
        },
      ],
      problems: [],
    });
  });

  it("reports what it cannot read and keeps the rest", async () => {
    const configDir = tempDir();
    const session = new TranscriptBuilder().write(configDir);
    const { sessionId } = session;
    const good = put(configDir, `tasks/${sessionId}/1.json`, { subject: "One", status: "pending" });
    const torn = put(configDir, `tasks/${sessionId}/2.json`, '{"id":"2","subj');
    const shape = put(configDir, `tasks/${sessionId}/3.json`, []);
    const folder = path.join(configDir, `tasks/${sessionId}/4.json`);
    fs.mkdirSync(folder);
    const mixed = put(configDir, `todos/${sessionId}-agent-x.json`, [
      7,
      { content: "Kept", status: "pending" },
    ]);
    const none = put(configDir, `todos/${sessionId}-agent-y.json`, { not: "a list" });

    expect(await readTodos({ configDir, session })).toEqual({
      lists: [
        {
          source: "tasks",
          path: path.dirname(good),
          items: [{ id: "1", subject: "One", status: "pending" }],
        },
        { source: "todos", path: mixed, agentId: "x", items: [{ subject: "Kept", status: "pending" }] },
      ],
      problems: [
        { path: torn, reason: "not-json" },
        { path: shape, reason: "wrong-shape" },
        { path: folder, reason: "not-a-file" },
        { path: mixed, reason: "wrong-shape" },
        { path: none, reason: "wrong-shape" },
      ],
    });
  });

  it("reports a file that is too large to be a list", async () => {
    const configDir = tempDir();
    const session = new TranscriptBuilder().write(configDir);
    const huge = put(configDir, `todos/${session.sessionId}-agent-x.json`, "");
    fs.truncateSync(huge, companionBytesMax + 1);
    expect(await readTodos({ configDir, session })).toEqual({
      lists: [],
      problems: [{ path: huge, reason: "too-large" }],
    });
  });

  it("tells the last TodoWrite from the transcript when no file is left", async () => {
    const configDir = tempDir();
    const transcript = new TranscriptBuilder();
    for (const status of ["pending", "completed"]) {
      const todos = [{ content: "Write it", status, activeForm: "Writing it" }];
      transcript.callTools({ name: "TodoWrite", input: { todos }, result: "ok" });
    }
    const session = transcript.write(configDir);
    expect(await readTodos({ configDir, session })).toEqual({
      lists: [
        {
          source: "transcript",
          path: session.path,
          items: [{ subject: "Write it", status: "completed", activeForm: "Writing it" }],
        },
      ],
      problems: [],
    });
  });

  it("replays TaskCreate and TaskUpdate that took effect when no file is left", async () => {
    const configDir = tempDir();
    const transcript = new TranscriptBuilder();
    const create = (id: string, subject: string) =>
      transcript.callTools({
        name: "TaskCreate",
        input: { subject, description: "d" },
        result: "ok",
        toolUseResult: { task: { id, subject } },
      });
    const update = (taskId: string, input: object, success = true) =>
      transcript.callTools({
        name: "TaskUpdate",
        input: { taskId, ...input },
        result: "ok",
        toolUseResult: { success, taskId, updatedFields: [] },
      });
    create("1", "First");
    create("2", "Second");
    create("3", "Third");
    update("2", { status: "in_progress", addBlockedBy: ["1"], owner: "me" });
    update("2", { status: "completed" }, false);
    update("3", { status: "deleted" });
    const session = transcript.write(configDir);
    const { lists } = await readTodos({ configDir, session });
    expect(lists.map(({ source, items }) => ({ source, items }))).toEqual([
      {
        source: "transcript",
        items: [
          { id: "1", subject: "First", description: "d", status: "pending", blocks: [], blockedBy: [] },
          {
            id: "2",
            subject: "Second",
            description: "d",
            status: "in_progress",
            owner: "me",
            blocks: [],
            blockedBy: ["1"],
          },
        ],
      },
    ]);
  });

  it("finds nothing in a session that never had a list", async () => {
    const configDir = tempDir();
    const transcript = new TranscriptBuilder();
    transcript.prompt("hello");
    expect(await readTodos({ configDir, session: transcript.write(configDir) })).toEqual({
      lists: [],
      problems: [],
    });
  });
});

describe("readTaskList()", () => {
  it("throws on a name that leads out of the folder", () => {
    expect(() => readTaskList({ configDir: tempDir(), name: "../x" }, [])).toThrow(RangeError);
  });
});

describe("writeLegacyTodos()", () => {
  it("writes a list that reads back the same, private to the user", async () => {
    const configDir = tempDir();
    const session = new TranscriptBuilder().write(configDir);
    const items = [{ subject: "Write it", status: "pending", activeForm: "Writing it" }];
    const file = writeLegacyTodos({ configDir, sessionId: session.sessionId, agentId: "a1" }, items);
    expect(await readTodos({ configDir, session })).toEqual({
      lists: [{ source: "todos", path: file, agentId: "a1", items }],
      problems: [],
    });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  it("keeps the old list whole when any write fails", () => {
    const configDir = tempDir();
    const ref = { configDir, sessionId: "s", agentId: "a" };
    const file = writeLegacyTodos(ref, [{ subject: "Old", status: "pending" }]);
    const before = fs.readFileSync(file, "utf8");
    for (const call of ["open", "write", "rename"] as const) {
      const { files } = failingFileOps(1, { call, error: "ENOSPC" });
      expect(() => writeLegacyTodos(ref, [{ subject: "New", status: "pending" }], files)).toThrow("ENOSPC");
      expect(fs.readFileSync(file, "utf8")).toBe(before);
      expect(fs.readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
    }
  });
});
