import { systemClock } from "../../lib/clock.ts";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { writeEndedTask, type EndedTaskOptions } from "../../../test/support/ended-task.ts";
import { startProgram } from "../../../test/support/start-program.ts";
import { taskWorld } from "../../../test/support/task-world.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { holdfastPaths } from "../../format/paths.ts";
import type { IndexTrouble } from "../../store/index/derived-index.ts";
import { findTask } from "./find-task.ts";
import { listAgentTasks, listLostTasks, listOverview, listTasks, listUnwordedTasks } from "./list-tasks.ts";
import { listNotices } from "../notices/notices.ts";
import { removeTask } from "../prune/remove-task.ts";
import type { TaskFiles } from "../record/task-files.ts";

const tasks: EndedTaskOptions[] = [
  { id: "baaaa0001", second: 1, name: "build", told: true },
  { id: "baaaa0002", second: 2, cwd: "/other", exitCode: 3, printed: "one\ntwo\n" },
  { id: "bbbbb0003", second: 3, name: "build", muted: true },
  { id: "bbbbb0004", second: 4 },
  { id: "bcccc0005", second: 5, told: true },
];

/** What every question must answer, whatever the index says. */
const right = {
  all: ["bcccc0005", "bbbbb0004", "bbbbb0003", "baaaa0002", "baaaa0001"],
  statuses: ["completed", "completed", "completed", "failed", "completed"],
  overview: ["bcccc0005", "bbbbb0004", "bbbbb0003", "baaaa0002 two", "baaaa0001"],
  ofProject: ["baaaa0002"],
  newest: ["bcccc0005", "bbbbb0004"],
  newestOfProject: ["baaaa0002"],
  last: "bcccc0005",
  named: "bbbbb0003",
  byPrefix: "bcccc0005",
  ambiguous: "task_ambiguous",
  unknown: "task_not_found",
  notices: ["baaaa0002", "bbbbb0004"],
};

type Question = (
  home: string,
  options: { onTrouble: ((trouble: IndexTrouble) => void) | undefined },
) => unknown;

const idsOf = (query: { cwd?: string; limit?: number }): Question => {
  return (home, options) => listTasks(home, { all: true, ...query }, options).map(({ record }) => record.id);
};
const idOf = (wanted: string): Question => {
  return (home, options) => {
    try {
      return findTask(home, wanted, options).record.id;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
};

// What is asked for by a name first: a list of everything would correct the index before.
const questions: Record<keyof typeof right, Question> = {
  last: idOf("@last"),
  newest: idsOf({ limit: 2 }),
  newestOfProject: idsOf({ limit: 2, cwd: "/other" }),
  named: idOf("build"),
  byPrefix: idOf("bc"),
  ambiguous: idOf("bbbbb"),
  unknown: idOf("nobody"),
  notices: (home, options) =>
    listNotices(home, { isSessionAlive: () => false, clock: systemClock }, options).map(
      ({ taskId }) => taskId,
    ),
  all: idsOf({}),
  statuses: (home, options) => listTasks(home, { all: true }, options).map(({ state }) => state.status),
  ofProject: idsOf({ cwd: "/other" }),
  overview: (home, options) =>
    listOverview(home, { all: true }, options).map(({ id, lastLine }) => `${id} ${lastLine}`.trim()),
};

function answers(home: string, onTrouble?: (trouble: IndexTrouble) => void): Record<string, unknown> {
  const asked = Object.entries(questions).map(([name, ask]) => [name, ask(home, { onTrouble })]);
  return Object.fromEntries(asked) as Record<string, unknown>;
}

function homeWith(some: readonly EndedTaskOptions[]): { home: string; files: TaskFiles[] } {
  const home = path.join(tempDir(), "home");
  return { home, files: some.map((task) => writeEndedTask(home, task)) };
}

const endedIn = (home: string): string[] => fs.readdirSync(holdfastPaths(home).endedDir).toSorted();
const databaseOf = (home: string): string => path.join(holdfastPaths(home).indexDir, "index.db");

function execute(home: string, sql: string): void {
  const database = new DatabaseSync(databaseOf(home));
  database.exec(sql);
  database.close();
}

function rowsOf(home: string): unknown[] {
  const database = new DatabaseSync(databaseOf(home), { readOnly: true });
  const rows = database.prepare("SELECT id, told FROM tasks ORDER BY id").all();
  database.close();
  return rows.map((row) => `${String(row["id"])} ${String(row["told"])}`);
}

describe("askEnded()", () => {
  test("answers from ended/, keeps what it read, and answers the same from the index", () => {
    const { home } = homeWith(tasks);
    expect(endedIn(home)).toHaveLength(tasks.length);
    expect(answers(home)).toEqual(right);
    expect(endedIn(home)).toEqual([]);
    expect(rowsOf(home)).toEqual(["baaaa0001 1", "baaaa0002 0", "bbbbb0003 2", "bbbbb0004 0", "bcccc0005 1"]);
    expect(answers(home)).toEqual(right);
  });

  test("finds what an older Holdfast ran, at the first walk or when nobody has that name", () => {
    const { home } = homeWith(tasks.map((task) => ({ ...task, isOlder: true })));
    expect(answers(home)).toEqual(right);
    writeEndedTask(home, { id: "bolder006", second: 0, name: "older", isOlder: true });
    expect(findTask(home, "older").record.id).toBe("bolder006");
    writeEndedTask(home, { id: "bolder007", second: 9, isOlder: true });
    execute(home, "UPDATE task_state SET walkedAt = 0");
    expect(findTask(home, "@last").record.id).toBe("bolder007");
    writeEndedTask(home, { id: "bolder008", second: 10, isOlder: true });
    expect(findTask(home, "@last").record.id).toBe("bolder007");
    // As after a clock that was set back.
    execute(home, `UPDATE task_state SET walkedAt = ${Date.now() + 1_000_000}`);
    expect(findTask(home, "@last").record.id).toBe("bolder008");
  });

  test("sees tasks go and their notices be taken by others", () => {
    const { home, files } = homeWith(tasks);
    answers(home);
    const [, untold, , , newest] = files as [TaskFiles, TaskFiles, TaskFiles, TaskFiles, TaskFiles];
    fs.writeFileSync(untold.noticeConsumed, "{}");
    for (const file of [newest.record, newest.ending]) fs.rmSync(file);
    const after = answers(home);
    expect(after).toMatchObject({
      last: "bbbbb0004",
      newest: ["bbbbb0004", "bbbbb0003"],
      notices: ["bbbbb0004"],
    });
    expect(rowsOf(home)).toEqual(["baaaa0001 1", "baaaa0002 1", "bbbbb0003 2", "bbbbb0004 0"]);
    removeTask(home, { files: untold });
    expect(rowsOf(home)).toHaveLength(3);
  });

  test("makes no index where there are no tasks, and none to remove one", () => {
    const home = tempDir();
    expect(listTasks(home, { all: true })).toEqual([]);
    expect(listOverview(home, { all: true, limit: 3 })).toEqual([]);
    const { home: other, files } = homeWith([{ id: "baaaa0001", second: 1 }]);
    removeTask(other, { files: files[0]! });
    expect([home, other].map((each) => fs.existsSync(databaseOf(each)))).toEqual([false, false]);
    expect(endedIn(other)).toEqual([]);
  });

  test("leaves in ended/ what is no task's, and forgets what was removed", () => {
    const { home, files } = homeWith(tasks);
    const { endedDir } = holdfastPaths(home);
    for (const name of ["README", ".b", "-gone.b00000000"]) fs.writeFileSync(path.join(endedDir, name), "");
    fs.rmSync(files[0]!.record);
    expect(listTasks(home, { all: true, limit: 9 })).toHaveLength(tasks.length - 1);
    expect(endedIn(home)).toEqual([".b", "README"]);
  });

  test("gives the tasks of agents, the lost ones, and those whose words are not in the index", async () => {
    await using world = taskWorld();
    const ended = await world.run("true");
    const running = await world.tasks.start({ command: "sleep 300", cwd: world.cwd });
    const lost = await world.tasks.start({ command: "exec sleep 300", cwd: world.cwd });
    const { pid } = await waitFor(async () => {
      const { state } = await world.tasks.refresh(lost);
      return state.status === "running" && state.pid !== undefined && { pid: state.pid };
    });
    process.kill(-pid, "SIGKILL");
    await world.ended(lost);
    const { record } = ended.task;
    const agent = { agentId: "a1", type: "general", transcript: { path: "/t", sessionId: "s" } };
    const files = writeEndedTask(world.home, { id: "aaaaa0001", second: 1 });
    fs.writeFileSync(files.record, JSON.stringify({ ...record, id: "aaaaa0001", agent }));
    const ids = (found: { record: { id: string } }[]): string[] =>
      found.map((each) => each.record.id).toSorted();
    expect(ids(listLostTasks(world.home))).toEqual([lost.record.id]);
    expect(ids(listAgentTasks(world.home))).toEqual(["aaaaa0001"]);
    const all = [ended.task, running, lost].map((task) => task.record.id);
    expect(ids(listUnwordedTasks(world.home))).toEqual(["aaaaa0001", ...all].toSorted());
    execute(world.home, `UPDATE tasks SET worded = 1 WHERE id <> '${lost.record.id}'`);
    expect(ids(listUnwordedTasks(world.home))).toEqual([running.record.id, lost.record.id].toSorted());
  });

  test(
    "gives 20 processes that ask at once the same, and takes everything in",
    { timeout: 120_000 },
    async () => {
      const many = Array.from({ length: 1200 }, (_, n) => ({
        id: `b${String(n).padStart(8, "0")}`,
        second: n,
      }));
      const { home } = homeWith(many);
      const askers = Array.from({ length: 20 }, () => startProgram("task-asker", []));
      try {
        await waitFor(() => askers.every(({ lines }) => lines.includes("ready")), { timeoutMs: 60_000 });
        for (const asker of askers) asker.say(home);
        await waitFor(() => askers.every(({ lines, errors }) => lines.length > 1 || errors.length > 0), {
          timeoutMs: 60_000,
        });
        const newest = JSON.stringify(many.map(({ id }) => id).toReversed());
        expect(askers.map(({ lines }) => lines[1])).toEqual(askers.map(() => newest));
        expect(askers.flatMap(({ errors }) => errors)).toEqual([]);
      } finally {
        for (const asker of askers) asker.kill();
        await Promise.all(askers.map((asker) => asker.ended()));
      }
      expect(endedIn(home)).toEqual([]);
      expect(rowsOf(home)).toHaveLength(many.length);
      const database = new DatabaseSync(databaseOf(home));
      expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
      database.close();
    },
  );
});

describe("folders that have not changed", () => {
  test("are not read again, and every change of their names shows", () => {
    const { home, files } = homeWith(tasks);
    afterAWhile();
    expect(answers(home)).toEqual(right);
    const opened = vi.spyOn(fs, "opendirSync");
    expect(questions.all(home, { onTrouble: undefined })).toEqual(right.all);
    expect(questions.overview(home, { onTrouble: undefined })).toEqual(right.overview);
    expect(opened).not.toHaveBeenCalled();
    const running = writeEndedTask(home, { id: "bdddd0006", second: 6, isOlder: true });
    const ending = fs.readFileSync(running.ending);
    fs.rmSync(running.ending);
    const statuses = (): string[] =>
      listTasks(home, { all: true }).map(({ record, state }) => `${record.id} ${state.status}`);
    afterAWhile();
    expect(statuses()[0]).toBe("bdddd0006 lost");
    expect(statuses()[0]).toBe("bdddd0006 lost");
    fs.writeFileSync(running.ending, ending);
    expect(statuses()[0]).toBe("bdddd0006 completed");
    for (const file of [running.record, running.ending, files[4]!.record, files[4]!.ending]) fs.rmSync(file);
    expect(statuses()[0]).toBe("bbbbb0004 completed");
  });
});

/** Changes of the files so far are too old to share their time with the next one. */
function afterAWhile(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: performance.timeOrigin + performance.now() + 10_000 });
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("an index that lies", () => {
  beforeEach(afterAWhile);
  const copyOf = "INSERT INTO tasks (project, id, name, started, ended, status, agent, bytes, told, listed)";
  const lies: [what: string, sql: string][] = [
    [
      "tasks that do not exist",
      `${copyOf} SELECT project, 'bzzzz' || id, name, '2099', ended, status, agent, bytes, 0, listed FROM tasks`,
    ],
    ["tasks of other folders", "UPDATE tasks SET project = '-elsewhere'; UPDATE task_state SET walkedAt = 0"],
    [
      "endings that are not there",
      "UPDATE tasks SET status = 'lost', listed = replace(listed, 'failed', 'lost')",
    ],
    ["that nobody was told", "UPDATE tasks SET told = 0"],
    ["that everybody was told", "UPDATE tasks SET told = 1 WHERE told = 0"],
    ["that there are no notices", "UPDATE tasks SET told = 2"],
    ["notices", "UPDATE tasks SET told = 'x'"],
    ["names", "UPDATE tasks SET name = 'x'"],
    ["the names of others", `UPDATE tasks SET name = CASE WHEN name IS NULL THEN 'build' END`],
    ["starts", "UPDATE tasks SET started = '2020-01-01T00:00:00.000Z' WHERE id LIKE '%5'"],
    ["what is listed", "UPDATE tasks SET listed = replace(listed, 'two', 'too')"],
    ["whose list it is", `UPDATE tasks SET listed = (SELECT max(listed) FROM tasks)`],
    ["tasks that are missing", "DELETE FROM tasks WHERE id LIKE '%3' OR id LIKE '%5'"],
    ["all tasks", "DELETE FROM tasks"],
    ["everything that was noted", "DELETE FROM task_state"],
    ["folders", "UPDATE task_folders SET open = 'bzzzz0009'; DELETE FROM tasks WHERE id LIKE '%2'"],
    ["projects", "UPDATE tasks SET project = '../../..'"],
    ["ids", "UPDATE tasks SET id = '../../../' || id"],
  ];
  test.each(lies)("about %s changes no answer, whoever asks first", (_, sql) => {
    const { home } = homeWith(tasks);
    answers(home);
    const good = fs.readFileSync(databaseOf(home));
    for (const [name, ask] of Object.entries(questions)) {
      fs.writeFileSync(databaseOf(home), good);
      execute(home, sql);
      const answer = { name, answer: ask(home, { onTrouble: undefined }) };
      expect(answer).toEqual({ name, answer: right[name as keyof typeof right] });
      expect(answers(home)).toEqual(right);
    }
  });

  const damages: [what: string, trouble: IndexTrouble, damage: (home: string) => void][] = [
    ["random bytes", "damaged", (home) => fs.writeFileSync(databaseOf(home), Buffer.alloc(9000, "random"))],
    ["a table that is gone", "damaged", (home) => execute(home, "DROP TABLE tasks")],
    [
      "a row that is no JSON",
      "damaged",
      (home) => execute(home, "UPDATE tasks SET listed = '{' WHERE id > 'bc'"),
    ],
    ["a row that is no task", "damaged", (home) => execute(home, "UPDATE tasks SET listed = '{}'")],
    ["a hostile project", "damaged", (home) => execute(home, "UPDATE tasks SET project = '../../..'")],
    ["a hostile id", "damaged", (home) => execute(home, "UPDATE tasks SET id = '../x' WHERE id < 'bb'")],
    ["a newer version", "newer", (home) => execute(home, "PRAGMA user_version = 99")],
    ["a pipe, which nobody reads", "unreadable", (home) => putPipeInPlace(databaseOf(home))],
    ["a file instead of its folder", "unwritable", (home) => putFileInPlace(holdfastPaths(home).indexDir)],
  ];
  test.each(damages)("by %s is found out: all answers are right", (_, trouble, damage) => {
    const { home } = homeWith(tasks);
    answers(home);
    damage(home);
    const troubles = new Set<IndexTrouble>();
    expect(answers(home, (each) => troubles.add(each))).toEqual(right);
    expect([...troubles]).toEqual([trouble]);
    troubles.clear();
    expect(answers(home, (each) => troubles.add(each))).toEqual(right);
    expect([...troubles]).toEqual(trouble === "damaged" ? [] : [trouble]);
  });
});

function putPipeInPlace(file: string): void {
  fs.rmSync(file);
  execFileSync("mkfifo", [file]);
}

function putFileInPlace(dir: string): void {
  fs.rmSync(dir, { recursive: true });
  fs.writeFileSync(dir, "");
}
