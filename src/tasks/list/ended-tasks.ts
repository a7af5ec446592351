import { isSafeName } from "../../format/paths.ts";
import type { DerivedIndex } from "../../store/index/derived-index.ts";
import { sealText, unsealLines, unsealText } from "../../store/index/sealed-text.ts";
import { textSum } from "../../store/index/text-sum.ts";
import { isListedTask, listedTask, type ListedTask } from "./listed-task.ts";
import { joinRow, rowFacts, taskRow, type RowFacts, type TaskRow } from "../live/task-row.ts";
import { isAgentTask, readTask, type FinishedTask, type Task } from "../record/task.ts";
import { isSilent, isTaskName, outputBytes, taskFiles, type TaskFiles } from "../record/task-files.ts";

/**
 * The ended tasks of a home as the index has them. It finds candidates; whoever shows a few of them reads their files, so
 * that a row without a task behind it does no harm.
 */
export class EndedTasks {
  readonly home: string;
  /** What a walk of each project found: one who asks needs no second one. */
  readonly walked: Map<string, Task[]> = new Map();
  readonly #index: DerivedIndex;
  /** Whether a row had no task behind it. */
  isStale = false;
  readonly #told: TaskFiles[] = [];

  constructor(home: string, index: DerivedIndex) {
    this.home = home;
    this.#index = index;
  }

  /** All of them as a list shows them, of one project or of every one. */
  list(projectKey?: string): ListedTask[] {
    const [texts, others] =
      (projectKey === undefined
        ? this.#index.row(LISTED)
        : this.#index.row(`${LISTED} WHERE project = ?`, projectKey)) ?? [];
    if (typeof texts !== "string") return [];
    return this.#sane(() => {
      const json = unsealLines(texts);
      const tasks = JSON.parse(`[${json?.join() ?? ""}]`) as ListedTask[];
      if (!json || others !== 0 || !tasks.every(isListedTask))
        throw new TypeError("Cannot use a row: it is no task");
      return tasks;
    });
  }

  /** The next so many as a table of all tasks shows them, newest first; those behind `after`, the last one before. */
  rows(limit: number, after?: TaskRow): TaskRow[] {
    const where = after ? "WHERE (started, id) < (?, ?)" : "";
    const found = this.#index.rows(
      `SELECT project, id, listed, facts, told FROM tasks ${where} ORDER BY started DESC, id DESC LIMIT ${limit}`,
      ...(after ? [new Date(after.startedAtMs).toISOString(), after.id] : []),
    ) as [string, string, string, string, number][];
    return this.#sane(() =>
      found.flatMap(([projectKey, id, listed, facts, told]) => {
        if (!isTaskName(id)) throw new RangeError("Cannot use a row: its id is no name of a task");
        const files = taskFiles(this.home, { projectKey, id });
        const row = { listed: parseSealed(listed) as ListedTask, facts: parseSealed(facts) as RowFacts };
        if (row.listed?.id === id && row.facts) return [joinRow(files, { ...row, isMuted: told === 2 })];
        const task = this.read(files);
        return task ? [taskRow(task)] : [];
      }),
    );
  }

  /** The task behind a row, as its files have it. */
  read(files: TaskFiles): Task | undefined {
    const task = readTask(files);
    if (!task) this.isStale = true;
    return task;
  }

  newest(): Generator<TaskFiles> {
    return this.#newestFirst("1");
  }

  ofProject(projectKey: string): Generator<TaskFiles> {
    return this.#newestFirst("project = ?", projectKey);
  }

  named(name: string): Generator<TaskFiles> {
    return this.#newestFirst("name = ?", name);
  }

  startingWith(prefix: string): TaskFiles[] {
    return this.#files("WHERE id >= ? AND id < ?", prefix, `${prefix}\uffff`);
  }

  /** Those whose notice nobody had taken when this was last looked at. */
  untold(): TaskFiles[] {
    return this.#files("WHERE told <> 1 AND told = 0");
  }

  ofAgents(): TaskFiles[] {
    return this.#files("WHERE agent = 1");
  }

  /** Those whose words are not in the index. */
  unworded(): TaskFiles[] {
    return this.#files("WHERE worded = 0");
  }

  /** Those that ended at or after a moment. */
  endedSince(moment: string): TaskFiles[] {
    return this.#files("WHERE ended >= ?", moment);
  }

  /** Those that may have ended before a moment, oldest first. */
  startedBefore(moment: Date): TaskFiles[] {
    return this.#files("WHERE started < ? ORDER BY started", moment.toISOString());
  }

  lost(): TaskFiles[] {
    return this.#files("WHERE status = 'lost'");
  }

  /** How many ended before a moment, and what the outputs of all take on the disk. */
  totals(before: Date): { old: number; bytes: number } {
    const sql = "SELECT total(ended < ?), total(bytes) FROM tasks";
    const [old = 0, bytes = 0] = (this.#index.row(sql, before.toISOString()) ?? []) as number[];
    return { old, bytes };
  }

  projects(): string[] {
    const projects = this.#texts("SELECT DISTINCT project FROM tasks");
    return this.#sane(() => {
      if (!projects.every(isSafeName)) throw new RangeError("Cannot use a row: its project is no folder");
      return projects;
    });
  }

  allIds(): string[] {
    return this.#texts("SELECT id FROM tasks");
  }

  allNames(): string[] {
    return this.#texts("SELECT DISTINCT name FROM tasks WHERE name IS NOT NULL");
  }

  ids(projectKey: string): string[] {
    return this.#texts("SELECT id FROM tasks WHERE project = ?", projectKey);
  }

  /** Those whose notice was not taken, and whether there is one at all. */
  notTaken(projectKey: string): Map<string, { isMuted: boolean }> {
    const sql = "SELECT id, told FROM tasks WHERE project = ? AND told <> 1";
    return new Map(
      this.#index.rows(sql, projectKey).map(([id, told]) => [id as string, { isMuted: told === 2 }]),
    );
  }

  /** That nobody has to look at this notice again; noted by `close`, if the index can be written. */
  noteTold(files: TaskFiles): void {
    this.#told.push(files);
  }

  close(): void {
    if (this.#told.length > 0) this.mayWrite(() => this.#told.forEach((files) => this.setTold(files, true)));
    this.#index.close();
  }

  /** When all folders were last compared with the table, in milliseconds. */
  get walkedAt(): number | undefined {
    const walkedAt = this.#index.row("SELECT walkedAt FROM task_state")?.[0];
    return typeof walkedAt === "number" ? walkedAt : undefined;
  }

  /** Forgets all rows when they are not those that were written. The next walk makes them anew, and the rest stays. */
  check(): void {
    if (this.#isWhole) return;
    this.#index.rejectPart(() => {
      // Another process may have done it.
      if (this.#isWhole) return;
      this.#index.run("DELETE FROM tasks");
      this.#index.run("DELETE FROM task_state");
      this.#index.run("DELETE FROM task_folders");
    });
  }

  /** Does all of it or nothing. Throws when the index cannot be written. */
  write(work: () => void): void {
    if (!this.mayWrite(work)) throw new Error("Cannot keep ended tasks in the index");
  }

  /** The same, for what need not be written. */
  mayWrite(work: () => void): boolean {
    return this.#index.write(() => {
      // What was wrong before must stay so, or the next one would believe it.
      const isWhole = this.#isWhole;
      work();
      if (isWhole) this.#index.run(NOTE_CHECKSUM);
    });
  }

  /** In a write. */
  noteWalk(atMs: number): void {
    this.#index.run(NOTE_WALK, atMs);
  }

  /** The tasks that had not ended when a folder was as it is now and its names were read; undefined if it never was. */
  openIn(projectKey: string, changed: string): string[] | undefined {
    const sql = "SELECT open FROM task_folders WHERE project = ? AND changed = ?";
    const open = this.#index.row(sql, projectKey, changed)?.[0] as string | undefined;
    return open?.split(" ").filter(isTaskName);
  }

  /** In a write. */
  noteFolder(projectKey: string, changed: string, open: readonly string[]): void {
    this.#index.run(
      "INSERT OR REPLACE INTO task_folders VALUES (?, ?, ?)",
      projectKey,
      changed,
      open.join(" "),
    );
  }

  /** In a write. */
  put(task: FinishedTask): void {
    const { record, files, state } = task;
    this.#index.run(
      `INSERT OR REPLACE INTO tasks (project, id, name, started, ended, status, agent, bytes, told, listed, facts)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      files.projectKey,
      files.id,
      record.name ?? null,
      record.startedAt,
      state.endedAt,
      state.status,
      isAgentTask(task) ? 1 : 0,
      outputBytes(files),
      record.muted ? 2 : isSilent(files) ? 1 : 0,
      sealText(JSON.stringify(listedTask(task))),
      sealText(JSON.stringify(rowFacts(task))),
    );
  }

  /** In a write. */
  remove({ projectKey, id }: Pick<TaskFiles, "projectKey" | "id">): void {
    this.#index.run("DELETE FROM tasks WHERE project = ? AND id = ?", projectKey, id);
  }

  /** In a write. */
  setTold({ projectKey, id }: Pick<TaskFiles, "projectKey" | "id">, isTold: boolean): void {
    this.#index.run("UPDATE tasks SET told = ? WHERE project = ? AND id = ?", isTold ? 1 : 0, projectKey, id);
  }

  // In pieces that grow: most lists need one, and none takes long to skip what it has had.
  *#newestFirst(condition: string, ...values: string[]): Generator<TaskFiles> {
    for (let from = 0, count = PAGE; ; from += count, count *= 2) {
      const rest = `WHERE ${condition} ORDER BY started DESC LIMIT ${count} OFFSET ${from}`;
      const page = this.#files(rest, ...values);
      yield* page;
      if (page.length < count) return;
    }
  }

  #files(rest: string, ...values: string[]): TaskFiles[] {
    const rows = this.#index.rows(`SELECT project, id FROM tasks ${rest}`, ...values) as [string, string][];
    return this.#sane(() =>
      rows.map(([projectKey, id]) => {
        if (!isTaskName(id)) throw new RangeError("Cannot use a row: its id is no name of a task");
        return taskFiles(this.home, { projectKey, id });
      }),
    );
  }

  // What cannot have come from a file says that the index is damaged.
  #sane<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      this.#index.reject();
      throw error;
    }
  }

  get #isWhole(): boolean {
    return (this.#index.row(IS_WHOLE)?.[0] ?? 1) === 1;
  }

  #texts(sql: string, ...values: string[]): string[] {
    return this.#index.rows(sql, ...values).map(([text]) => text as string);
  }
}

// Undefined when it is not what was written.
function parseSealed(sealed: string): unknown {
  const text = unsealText(sealed);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

// One text for all: that takes half the time of a row for each. Beside it, how many rows hold another task.
const LISTED = `SELECT group_concat(listed, char(10)), total(instr(listed, '"id":"' || id || '"') = 0) FROM tasks`;

// Of all that tasks are found by; NULL without tasks. Each part has an index to itself, so 50,000 tasks take some 6 ms.
const CHECKSUM = `(
  SELECT sum(unixepoch(started)) || ' ' ||
    (SELECT group_concat(project || ' ' || n) FROM (SELECT project, count(*) AS n FROM tasks GROUP BY project)) || ' ' ||
    (SELECT count(*) || ' ' || total(told = 0) FROM tasks WHERE told <> 1) || ' ' ||
    (SELECT count(*) FROM tasks WHERE agent = 1) || ' ' ||
    (SELECT count(*) FROM tasks WHERE status = 'lost') || ' ' ||
    (SELECT total(${textSum("name")}) FROM tasks WHERE name IS NOT NULL) || ' ' ||
    (SELECT total(${textSum("project")} + ${textSum("changed")} + ${textSum("open")}) FROM task_folders)
  FROM tasks)`;
const IS_WHOLE = `SELECT (SELECT checksum FROM task_state) IS ${CHECKSUM}`;
const NOTE_CHECKSUM = `INSERT INTO task_state (id, checksum) VALUES (1, ${CHECKSUM})
  ON CONFLICT (id) DO UPDATE SET checksum = excluded.checksum`;
const NOTE_WALK = `INSERT INTO task_state (id, walkedAt) VALUES (1, ?)
  ON CONFLICT (id) DO UPDATE SET walkedAt = excluded.walkedAt`;

/** Rows that are asked for at once: as many as most lists show. */
const PAGE = 50;
