import fs from "node:fs";
import path from "node:path";
import { codeOf } from "../../lib/errors.ts";
import { namesIn } from "../../lib/names-in.ts";
import { startTimeOf } from "../../lib/process-identity.ts";
import type { ShellSettings, TaskRecord } from "./task-record.ts";
import { homeOf, type TaskFiles } from "./task-files.ts";

type Home = Pick<TaskFiles, "endingDraft">;

/** What the pipe of a task that waits is called before its supervisor's pid (supervise/sh/queue.sh): sorted, they are the line. */
export function turnName(
  { id, startedAt }: Pick<TaskRecord, "id" | "startedAt">,
  { bases }: NonNullable<ShellSettings["waitsFor"]>,
): string {
  const kind = bases.length > 0 ? "after" : isAgent(id) ? "agents" : "line";
  return `${kind}.${String(Date.parse(startedAt)).padStart(15, "0")}.${id}`;
}

/** Agents have a line, and places, of their own. */
export function isAgent(id: string): boolean {
  return id.startsWith("a");
}

/** The tasks that share the places of this one. */
export function sharesPlaces(id: string): (other: string) => boolean {
  return isAgent(id) ? isAgent : () => true;
}

/** Where the pipes are of the home that a task is in. */
export function waitingDirOf(files: Home): string {
  return path.join(homeOf(files), "waiting");
}

/** The ids of those that wait for a place, the agents first, each line in its order. */
export function listQueued(files: Home): string[] {
  return turnsIn(files).flatMap(({ kind, id }) => (kind === "after" ? [] : [id]));
}

/** Has a task that waits look again whether it may start, or is to stop. */
export function wakeWaiting(files: Home & Pick<TaskFiles, "id">): void {
  for (const turn of turnsIn(files)) if (turn.id === files.id) wake(turn);
}

/** The same for all that an ending concerns: those that wait for certain tasks, and the first that lives in each line. */
export function wakeAfterEnd(files: Home): void {
  const woken = new Set<string>();
  for (const turn of turnsIn(files))
    if (!woken.has(turn.kind) && wake(turn) && turn.kind !== "after") woken.add(turn.kind);
}

interface Turn {
  pipe: string;
  kind: string;
  id: string;
  pid: number;
}

function turnsIn(files: Home): Turn[] {
  const dir = waitingDirOf(files);
  const turns = namesIn(dir)
    .toSorted()
    .map((name) => {
      const [kind = "", , id = "", pid = ""] = name.split(".");
      return { pipe: path.join(dir, name), kind, id, pid: Number(pid) };
    });
  return turns.filter(({ kind }) => kind !== "taking");
}

const { O_WRONLY, O_NONBLOCK } = fs.constants;

// Whether somebody heard it, or is about to look anyway because it has only just made its pipe. What was left by one that was
// killed is removed.
function wake({ pipe, pid }: Turn): boolean {
  try {
    const fd = fs.openSync(pipe, O_WRONLY | O_NONBLOCK);
    try {
      fs.writeSync(fd, "\n");
    } finally {
      fs.closeSync(fd);
    }
    return true;
  } catch (error) {
    if (codeOf(error) !== "ENXIO" || startTimeOf(pid) !== undefined) return codeOf(error) !== "ENOENT";
    fs.rmSync(pipe, { force: true });
    return false;
  }
}
