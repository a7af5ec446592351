import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { coarsestClockMs, endedCheckMs, endedCheckShare, rowsAtOnce } from "../limits.ts";
import { eventLagMs, formatCursor } from "../events/event-cursor.ts";
import { askEnded } from "../list/ask-ended.ts";
import { listProjectKeys } from "../list/walk-tasks.ts";
import { readRunning } from "../record/read-running.ts";
import { filesOfName } from "../record/running-tasks.ts";
import { readTask, type Task } from "../record/task.ts";
import { listTaskNames, taskFiles } from "../record/task-files.ts";
import { isEnded } from "../record/task-state.ts";
import { taskRow, type TaskRow } from "./task-row.ts";

export interface RowChanges {
  /** New or changed, whole. */
  changed: TaskRow[];
  /** Of tasks that were removed. */
  gone: string[];
}

/** What was told of the tasks of a home, so that only what is new is told. */
export class KnownRows {
  readonly #home: string;
  readonly #tell: (changes: RowChanges) => void;
  /** As JSON, to see whether something has changed; of ended tasks only what still may. */
  readonly #known = new Map<string, string>();
  readonly #running = new Map<string, Task>();
  readonly #folders = new Map<string, string>();
  #endedCheckAt = 0;
  /** When the last ones ended. */
  readonly #recent = new Map<string, number>();

  constructor(home: string, tell: (changes: RowChanges) => void) {
    this.#home = home;
    this.#tell = tell;
  }

  /** Those that run, and those that ran a moment ago. */
  lookAtRunning(): void {
    const running = readRunning(this.#home);
    const names = new Set(running.map(({ files }) => files.base));
    const left = [...this.#running.values()].filter(({ files }) => !names.has(files.base));
    this.#note([...running, ...left.flatMap(({ files }) => readTask(files) ?? [])]);
    this.#forget(left.filter(({ files }) => !fs.existsSync(files.record)).map(({ record }) => record.id));
  }

  /** One whose file in running/ was changed. */
  lookAt(name: string): void {
    const files = filesOfName(this.#home, name);
    const task = files && readTask(files);
    if (task) this.#note([task]);
  }

  loadEnded(): void {
    for (let last: TaskRow | undefined, isFirst = true; isFirst || last; isFirst = false) {
      const before = last;
      const page = askEnded(this.#home, ({ ended }) => ended.rows(rowsAtOnce, before));
      this.#send(page);
      last = page.at(-1);
    }
  }

  /** What others did to ended tasks: took a notice, kept or removed one, or ended one that nobody saw. */
  lookAtEnded(): void {
    const begun = performance.now();
    if (begun < this.#endedCheckAt) return;
    for (const projectKey of this.#changedFolders()) this.#compareFolder(projectKey);
    const tookMs = performance.now() - begun;
    this.#endedCheckAt = begun + Math.max(endedCheckMs, tookMs / endedCheckShare);
  }

  /** For `watchTasks`: everything that was told by now has happened. */
  cursor(): string {
    this.lookAtRunning();
    const at = Date.now();
    for (const [id, endedAt] of this.#recent) if (endedAt < at - 2 * eventLagMs) this.#recent.delete(id);
    const open = new Map([...this.#running.keys()].map((id) => [id, { isUpdated: false }]));
    return formatCursor({ at, open, over: new Set(this.#recent.keys()) });
  }

  #compareFolder(projectKey: string): void {
    const gone = new Set(this.#idsOf(projectKey));
    const changed: TaskRow[] = [];
    for (const { id, hasRecord, isEnded: hasEnded, isSilent, isRetained } of listTaskNames(
      holdfastPaths(this.#home).tasksDir(projectKey),
    )) {
      if (!hasRecord) continue;
      gone.delete(id);
      if (!hasEnded) continue;
      const known = this.#known.get(id);
      if (known === endedSum(projectKey, { isSilent, isRetained })) continue;
      const task = readTask(taskFiles(this.#home, { projectKey, id }));
      const row = task && taskRow(task);
      if (row && known !== sumOf(row)) changed.push(row);
    }
    this.#send(changed);
    this.#forget([...gone].filter((id) => !this.#running.has(id)));
  }

  /** The folders whose names are not those that they had at the last look. */
  #changedFolders(): string[] {
    return listProjectKeys(this.#home).filter((projectKey) => {
      const stat = fs.statSync(holdfastPaths(this.#home).tasksDir(projectKey), {
        bigint: true,
        throwIfNoEntry: false,
      });
      const time = String(stat?.mtimeNs ?? "");
      const isChanged = this.#folders.get(projectKey) !== time;
      // So soon afterwards the next change may have that time, too.
      const isSettled = stat && Date.now() - Number(stat.mtimeMs) > coarsestClockMs;
      this.#folders.set(projectKey, isSettled ? time : "unsettled");
      return isChanged;
    });
  }

  #idsOf(projectKey: string): string[] {
    return [...this.#known].flatMap(([id, sum]) => (sum.startsWith(`${projectKey} `) ? [id] : []));
  }

  #note(tasks: readonly Task[]): void {
    for (const task of tasks)
      if (isEnded(task.state)) this.#running.delete(task.record.id);
      else this.#running.set(task.record.id, task);
    this.#send(tasks.map(taskRow).filter((row) => this.#known.get(row.id) !== sumOf(row)));
  }

  #send(rows: readonly TaskRow[]): void {
    for (const row of rows) {
      this.#known.set(row.id, sumOf(row));
      if (row.endedAtMs !== undefined && row.endedAtMs > Date.now() - 2 * eventLagMs)
        this.#recent.set(row.id, row.endedAtMs);
    }
    for (let from = 0; from < rows.length; from += rowsAtOnce)
      this.#tell({ changed: rows.slice(from, from + rowsAtOnce), gone: [] });
  }

  #forget(ids: readonly string[]): void {
    if (ids.length === 0) return;
    for (const id of ids) {
      this.#known.delete(id);
      this.#running.delete(id);
    }
    this.#tell({ changed: [], gone: [...ids] });
  }
}

function sumOf(row: TaskRow): string {
  const { projectKey, state, notice, isRetained } = row;
  if (!isEnded(state)) return `${projectKey} ${JSON.stringify(row)}`;
  return endedSum(projectKey, { isSilent: notice !== "queued", isRetained });
}

// Of an ended task nothing else changes.
function endedSum(
  projectKey: string,
  { isSilent, isRetained }: { isSilent: boolean; isRetained: boolean },
): string {
  return `${projectKey} ${isSilent ? "silent" : "queued"} ${isRetained ? "kept" : ""}`;
}
