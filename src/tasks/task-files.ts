import fs from "node:fs";
import path from "node:path";
import { holdfastPaths } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";

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
  stop: string;
  started: string;
  exit: string;
  stdin: string;
  /** The notification ledger: who is handing it over, and that it was taken. */
  noticeClaim: string;
  noticeConsumed: string;
  noticeMuted: string;
  /** Where readers keep their place in the output. */
  cursors: string;
  /** Of agents: how far it is, what it said in the end, which tools it may always use, what is said to it. */
  progress: string;
  result: string;
  allowed: string;
  inbox: string;
  /** That and as which task an agent was continued. */
  continued: string;
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
    stop: `${base}.stop`,
    started: `${base}.started`,
    exit: `${base}.exit`,
    stdin: `${base}.stdin`,
    noticeClaim: `${base}.notice.claim`,
    noticeConsumed: `${base}.notice.consumed`,
    noticeMuted: `${base}.notice.muted`,
    cursors: `${base}.cursors`,
    progress: `${base}.progress.json`,
    result: `${base}.result.json`,
    allowed: `${base}.allowed.json`,
    inbox: `${base}.inbox`,
    continued: `${base}.continued`,
  };
}

/** Makes the folders that they are in, for nobody else to read. */
export function prepareFolders({ base, endingDraft }: Pick<TaskFiles, "base" | "endingDraft">): void {
  ensurePrivateDir(path.dirname(base));
  ensurePrivateDir(path.dirname(endingDraft));
}

/** A small JSON file, or undefined when it is not there, somebody else's, or (for a moment) not whole yet. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "EACCES") return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the names in a task folder alone say of a task. */
export interface ListedTask {
  id: string;
  isEnded: boolean;
  /** Its notice was taken, or is not to be given. */
  isSilent: boolean;
}

const NAME = /^([A-Za-z0-9_-]+)\.(json|end\.json|notice\.consumed|notice\.muted)$/;

/** The tasks of one project's folder, from a single reading of its names. */
export function listTaskNames(tasksDir: string): ListedTask[] {
  let names: string[];
  try {
    names = fs.readdirSync(tasksDir);
  } catch (error) {
    // What another user (root, once) left here is his; it must not hide one's own.
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(codeOf(error) ?? "")) return [];
    throw error;
  }
  const endings = new Map<string, Set<string>>();
  for (const name of names) {
    const [, id, ending] = NAME.exec(name) ?? [];
    if (id === undefined || ending === undefined) continue;
    const known = endings.get(id);
    if (known) known.add(ending);
    else endings.set(id, new Set([ending]));
  }
  return [...endings]
    .filter(([, known]) => known.has("json"))
    .map(([id, known]) => ({
      id,
      isEnded: known.has("end.json"),
      isSilent: known.has("notice.consumed") || known.has("notice.muted"),
    }));
}
