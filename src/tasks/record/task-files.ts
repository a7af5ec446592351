import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../../format/paths.ts";
import { eachName } from "../../lib/names-in.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";

/** Where the files of one task are: all share a base path, told apart by their endings. */
export interface TaskFiles {
  id: string;
  projectKey: string;
  /** Path without an ending; the supervisor is given it. */
  base: string;
  record: string;
  output: string;
  stderr: string;
  run: string;
  ending: string;
  /**
   * Room on the disk for the ending, of which it becomes a second name. In a folder for all projects, there from the
   * launch until the task has ended: whoever looks for running tasks looks there.
   */
  endingDraft: string;
  /** A second name of the ending, there from the end until the index has the task. */
  ended: string;
  /** Held by the supervisor that looks for the processes of all tasks which end at this moment. */
  lookingLock: string;
  stop: string;
  started: string;
  /** That it lives, and that somebody who cannot see so wants to know (heartbeat.ts). */
  beat: string;
  asked: string;
  exit: string;
  stdin: string;
  /** The notification ledger: who is telling it, that it was told, or is not to be. */
  noticeOffer: string;
  noticeConsumed: string;
  noticeMuted: string;
  /** That somebody wants to keep it: no prune removes it. */
  retained: string;
  /** Where readers keep their place in the output. */
  cursors: string;
  /** Of agents: how far it is, what it said in the end, which tools it may always use, what is said to it. */
  progress: string;
  result: string;
  allowed: string;
  inbox: string;
  /** What it and its sub-agents have used of their limits. */
  budget: string;
  /** That and as which task an agent was continued. */
  continued: string;
  /** Whose holder follows a remote run: one at a time. */
  followerLease: string;
}

export function taskFiles(home: string, { projectKey, id }: { projectKey: string; id: string }): TaskFiles {
  const paths = holdfastPaths(home);
  const base = `${paths.tasksDir(projectKey)}/${id}`;
  return {
    id,
    projectKey,
    base,
    record: `${base}.json`,
    output: `${base}.output`,
    stderr: `${base}.stderr`,
    run: `${base}.run`,
    ending: `${base}.end.json`,
    endingDraft: `${paths.runningDir}/${projectKey}.${id}`,
    ended: `${paths.endedDir}/${projectKey}.${id}`,
    lookingLock: `${paths.lookingDir}/lock`,
    stop: `${base}.stop`,
    started: `${base}.started`,
    beat: `${base}.beat`,
    asked: `${base}.asked`,
    exit: `${base}.exit`,
    stdin: `${base}.stdin`,
    noticeOffer: paths.offerPath(id),
    noticeConsumed: `${base}.notice.consumed`,
    noticeMuted: `${base}.notice.muted`,
    retained: `${base}.retained`,
    cursors: `${base}.cursors`,
    progress: `${base}.progress.json`,
    result: `${base}.result.json`,
    allowed: `${base}.allowed.json`,
    inbox: `${base}.inbox`,
    budget: `${base}.budget`,
    continued: `${base}.continued`,
    followerLease: `${base}.follower.lease`,
  };
}

/** The names of all files that a command may have. */
export function shellFileNames(id: string): string[] {
  return SHELL_ENDINGS.map((ending) => `${id}.${ending}`);
}

const SHELL_ENDINGS =
  `json output stderr output.cut stderr.cut run started beat asked stop exit line end.json notice.consumed
  notice.muted retained stdin pty cursors`.split(/\s+/);

/** The home that a task is in. */
export function homeOf({ endingDraft }: Pick<TaskFiles, "endingDraft">): string {
  return path.dirname(path.dirname(endingDraft));
}

/** Makes the folders that they are in, for nobody else to read. */
export function prepareFolders({ base, endingDraft, ended, lookingLock }: TaskFolders): void {
  // Up to the home: a link that was planted on the way would lead everything elsewhere.
  ensurePrivateDir(path.dirname(base), undefined, 4);
  for (const file of [endingDraft, ended, lookingLock]) ensurePrivateDir(path.dirname(file));
}

/** Does `work` in them. It is done again if a prune that found a folder empty removed it before the first file was there. */
export async function inTaskFolders(files: TaskFolders, work: () => Promise<void>): Promise<void> {
  prepareFolders(files);
  try {
    await work();
  } catch (error) {
    if (fs.existsSync(path.dirname(files.base))) throw error;
    prepareFolders(files);
    await work();
  }
}

type TaskFolders = Pick<TaskFiles, "base" | "endingDraft" | "ended" | "lookingLock">;

/** Whether somebody was told of the ending, or nobody is to be. */
export function isSilent({ noticeConsumed, noticeMuted }: TaskFiles): boolean {
  return fs.existsSync(noticeConsumed) || fs.existsSync(noticeMuted);
}

/** Whether its output is a link to a transcript, as that of an agent is. */
export function isAgentOutput({ output }: Pick<TaskFiles, "output">): boolean {
  return fs.lstatSync(output, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** What its output takes on the disk: a cut head takes nothing, and a link to a transcript next to nothing. */
export function outputBytes({ output, stderr }: TaskFiles): number {
  const blocksOf = (file: string): number => fs.lstatSync(file, { throwIfNoEntry: false })?.blocks ?? 0;
  return (blocksOf(output) + blocksOf(stderr)) * 512;
}

/** Whether somebody wants to keep it, whatever its age and size. */
export function isRetained({ retained }: Pick<TaskFiles, "retained">): boolean {
  return fs.existsSync(retained);
}

/** What the names in a task folder alone say of a task. */
export interface TaskNames {
  id: string;
  /** Without one there is no task any more: whoever removed it was killed before he was done. */
  hasRecord: boolean;
  isEnded: boolean;
  /** Its notice was taken, or is not to be given. */
  isSilent: boolean;
  /** Somebody wants to keep it. */
  isRetained: boolean;
}

/** The tasks of one project's folder, from a single reading of its names. */
export function listTaskNames(tasksDir: string): TaskNames[] {
  const found = new Map<string, TaskNames>();
  for (const name of eachName(tasksDir)) {
    const ending = endingOf(name);
    if (ending === undefined) continue;
    const id = name.slice(0, -ending.length);
    let task = found.get(id);
    if (!task) {
      if (!isTaskName(id)) continue;
      task = { id, hasRecord: false, isEnded: false, isSilent: false, isRetained: false };
      found.set(id, task);
    }
    if (ending === ".json") task.hasRecord = true;
    else if (ending === ".end.json") task.isEnded = true;
    else if (ending === ".retained") task.isRetained = true;
    else task.isSilent = true;
  }
  return [...found.values()];
}

// The record, and what is never there before it.
function endingOf(name: string): string | undefined {
  if (name.endsWith(".json")) return name.endsWith(".end.json") ? ".end.json" : ".json";
  return [".notice.consumed", ".notice.muted", ".retained"].find((ending) => name.endsWith(ending));
}

/** Whether files of a task can be called so: also one of an older era, or of another program's. */
export function isTaskName(id: string): boolean {
  return /^[\w-]+$/.test(id);
}

/** All names of each task in a project's folder, from a single reading of it. */
export function namesByTask(tasksDir: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of eachName(tasksDir)) {
    const id = name.slice(0, Math.max(0, name.indexOf(".")));
    const names = found.get(id);
    if (names) names.push(name);
    else if (isTaskName(id)) found.set(id, [name]);
  }
  return found;
}
