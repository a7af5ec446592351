import fs from "node:fs";
import path from "node:path";
import { projectKeyLengthMax } from "../../format/limits.ts";
import { configPaths, isSafeName, projectKey, projectKeyMatches } from "../../format/paths.ts";
import { namesIn, type OnUnreadable } from "../../lib/names-in.ts";
import { pathBelow } from "../../lib/path-below.ts";
import { glanceAtFacts } from "./glance-facts.ts";
import { eachProjectFolder, readProjectFolder, type TranscriptFile } from "./transcript-files.ts";

/** What a file and its name say of where a session belongs. */
export interface PlacedSession {
  /** The name of the folder that it is filed in. */
  project: string;
  cwd?: string | undefined;
}

/** Which sessions are meant: of exactly this directory, or of this project: a folder, and every folder inside of it. */
export interface Whereabouts {
  cwd?: string | undefined;
  project?: string | undefined;
}

/** Whether a folder with this name may hold sessions that are meant. Only they can tell. */
export function mayHold(key: string, { cwd, project }: Whereabouts): boolean {
  if (cwd !== undefined) return projectKeyMatches(key, cwd);
  if (project === undefined) return true;
  const own = projectKey(project).slice(0, projectKeyLengthMax);
  return (
    key === own || key.startsWith(own.endsWith("-") ? own : `${own}-`) || projectKeyMatches(key, project)
  );
}

export function isOf(session: PlacedSession, { cwd, project }: Whereabouts): boolean {
  if (cwd !== undefined) return !isElsewhere(session, cwd);
  if (project === undefined) return true;
  if (session.cwd !== undefined && pathBelow(project, session.cwd) !== undefined) return true;
  return projectKeyMatches(session.project, project) && !isElsewhere(session, project);
}

// A folder name proves little: that of an over-long path only its first 200 characters, and `/a/b.c` and `/a/b-c`
// share one. A session whose directory has another folder name was filed there on purpose.
function isElsewhere({ cwd: own, project }: PlacedSession, cwd: string): boolean {
  if (own === cwd) return false;
  return project.length > projectKeyLengthMax || (own !== undefined && projectKey(own) === project);
}

/**
 * The project that somebody in a folder is in: the nearest folder, this one or one above, in which a session was held.
 * A checkout is no further than its root, and a person's home no project of what is inside of it.
 */
export function findProject(
  configDir: string,
  { cwd, userHome }: { cwd: string; userHome?: string | undefined },
): string {
  const keys = namesIn(configPaths(configDir).projectsDir).filter(isSafeName);
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    const isAbove = userHome !== undefined && pathBelow(dir, userHome) !== undefined;
    if (dir !== cwd && isAbove) return cwd;
    if (keys.some((key) => projectKeyMatches(key, dir) && hasSessionOf(configDir, key, dir))) return dir;
    if (fs.existsSync(path.join(dir, ".git"))) return dir;
    if (dir === path.dirname(dir)) return cwd;
  }
}

function hasSessionOf(configDir: string, key: string, cwd: string): boolean {
  const { sessions } = readProjectFolder(configPaths(configDir).projectDir(key), key);
  return sessions.some(({ path: file, bytes }) => isOf({ project: key, cwd: cwdOf(file, bytes) }, { cwd }));
}

/** The transcripts that are filed under a directory and belong to it, by what their first and last lines say. */
export function transcriptsOf(configDir: string, cwd: string): TranscriptFile[] {
  return [...eachProjectFolder(configDir, { wants: (key) => mayHold(key, { cwd }) })].flatMap(
    ({ projectKey: project, sessions }) =>
      sessions.filter((file) => isOf({ project, cwd: cwdOf(file.path, file.bytes) }, { cwd })),
  );
}

/** The directory that a transcript says it was written in, at either end of it. */
export function cwdOf(file: string, bytes: number): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, "r");
  } catch {
    // Gone, or not ours to read: the folder's name has to do.
    return undefined;
  }
  try {
    return glanceAtFacts(fd, bytes).cwd;
  } finally {
    fs.closeSync(fd);
  }
}

/** How many sessions there are, by the names of their files alone. */
export function countSessions(configDir: string): number {
  const paths = configPaths(configDir);
  return namesIn(paths.projectsDir)
    .filter(isSafeName)
    .reduce((sum, key) => sum + namesIn(paths.projectDir(key)).filter(isSessionName).length, 0);
}

const isSessionName = (name: string): boolean =>
  name.endsWith(".jsonl") && !name.startsWith("agent-") && !name.startsWith(".");

/** A folder of sessions, as far as its newest one and the names of the others tell. */
export interface ProjectSummary {
  project: string;
  cwd?: string;
  sessions: number;
  updatedAt: string;
}

/** Every folder in which there are sessions, the one that was written last first: of each only one session is looked into. */
export function listProjects(configDir: string, onUnreadable?: OnUnreadable): ProjectSummary[] {
  const found: ProjectSummary[] = [];
  for (const { projectKey: project, sessions } of eachProjectFolder(configDir, { onUnreadable })) {
    const [newest] = sessions.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
    if (!newest) continue;
    const cwd = cwdOf(newest.path, newest.bytes);
    const updatedAt = new Date(newest.mtimeMs).toISOString();
    found.push({ project, ...(cwd !== undefined && { cwd }), sessions: sessions.length, updatedAt });
  }
  return found.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

/** The sessions that are not of a project. */
export interface SessionsElsewhere {
  /** In the folder that the project's folder is in. */
  parent: number;
  /** On this machine, the parent's among them. */
  machine: number;
}

/** Counted by the names of files alone, whatever is in them. */
export function countElsewhere(configDir: string, project: string): SessionsElsewhere {
  const paths = configPaths(configDir);
  const found: SessionsElsewhere = { parent: 0, machine: 0 };
  for (const key of namesIn(paths.projectsDir)) {
    if (!isSafeName(key) || mayHold(key, { project })) continue;
    const count = namesIn(paths.projectDir(key)).filter(isSessionName).length;
    found.machine += count;
    if (projectKeyMatches(key, path.dirname(project))) found.parent += count;
  }
  return found;
}
