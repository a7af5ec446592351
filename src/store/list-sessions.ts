import fs from "node:fs";
import path from "node:path";
import { projectKeyLengthMax } from "../format/limits.ts";
import { projectKey, projectKeyMatches } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { agentIdOfFile, isInternalAgent, sessionOfAgentFile } from "./agent-file.ts";
import { storeError } from "./errors.ts";
import type { SessionRef } from "./find-session.ts";
import { ListingCache } from "./listing-cache.ts";
import { glanceAtFacts } from "./glance-facts.ts";
import type { SessionFacts } from "./session-facts.ts";
import {
  listNestedAgents,
  listProjectFolders,
  readProjectFolder,
  statTranscript,
  type ProjectFolder,
  type TranscriptFile,
} from "./transcript-files.ts";

export interface SessionSummary {
  sessionId: string;
  /** The project's folder name. Not reversible: `cwd` is the true directory. */
  project: string;
  cwd?: string;
  path: string;
  /** Given by a person, else by the client; absent when neither did. */
  title?: string;
  tag?: string;
  firstPrompt?: string;
  /** User and assistant entries of the main chain; absent when counts were not asked for, unless the archive knows it. */
  messageCount?: number;
  /** Sub-agents in any layout, without the client's internal helpers; absent as messageCount is. */
  agents?: number;
  gitBranch?: string;
  startedAt?: string;
  updatedAt: string;
  bytes: number;
  /** It is in the archive: it can be read, and has to be restored before it is changed. */
  archived?: true;
}

export interface ListOptions {
  /** Only sessions of this working directory; otherwise of all projects. */
  cwd?: string | undefined;
  /** Only the newest so many, by the files' times. */
  limit?: number | undefined;
  /** False leaves counts out, and reads of the sessions only the two ends of files that are not in the cache. Default true. */
  counts?: boolean | undefined;
}

export interface ListContext {
  configDir: string;
  indexDir?: string | undefined;
  onUnreadable?: (dir: string, error: Error) => void;
}

/** Sessions, newest first. Those deleted while they are being listed are left out. */
export function listSessions(
  context: ListContext,
  { cwd, limit, counts = true }: ListOptions = {},
): SessionSummary[] {
  const folders = listProjectFolders(context.configDir, {
    wants: (key) => cwd === undefined || projectKeyMatches(key, cwd),
    ...(context.onUnreadable && { onUnreadable: context.onUnreadable }),
  });
  const cache = new ListingCache(context.indexDir);
  const files = folders.flatMap((folder) => folder.sessions);
  const folderOf = new Map(folders.map((folder) => [folder.projectKey, folder]));
  const flatAgents = new FlatAgents();
  const summaries: SessionSummary[] = [];
  for (const file of limit === undefined ? files : newestFirst(files, limit)) {
    if (limit !== undefined && summaries.length >= limit) break;
    const facts = cache.findCurrent(file) ?? readFacts(cache, file, { counts });
    if (facts === undefined) continue;
    const summary = summarise(file, facts);
    if (counts) addCounts(summary, facts, { folder: folderOf.get(file.projectKey)!, flatAgents });
    if (cwd !== undefined && isElsewhere(summary, cwd)) continue;
    summaries.push(summary);
  }
  const isGone = gone(files);
  cache.keep((known) => cwd === undefined && isGone(known));
  return summaries.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
}

// Not all at once: to put thousands in order takes longer than to read the newest fifty.
function* newestFirst(files: readonly TranscriptFile[], first: number): Generator<TranscriptFile> {
  const times = new Float64Array(files.length);
  for (let index = 0; index < files.length; index++) times[index] = files[index]!.mtimeMs;
  times.sort();
  let before = Infinity;
  for (let rank = Math.max(1, first); before > (times[0] ?? Infinity); rank *= 4) {
    const from = times[Math.max(0, times.length - rank)]!;
    const next = files.filter(({ mtimeMs }) => mtimeMs >= from && mtimeMs < before);
    yield* next.sort((a, b) => b.mtimeMs - a.mtimeMs);
    before = from;
  }
}

// Asked only when the cache is written.
function gone(files: readonly TranscriptFile[]): (file: string) => boolean {
  let listed: Set<string> | undefined;
  return (file) => !(listed ??= new Set(files.map((each) => each.path))).has(file);
}

// A folder name proves little: that of an over-long path only its first 200 characters, and `/a/b.c` and `/a/b-c`
// share one. A session whose directory has another folder name was filed there on purpose.
function isElsewhere({ cwd: own, project }: SessionSummary, cwd: string): boolean {
  if (own === cwd) return false;
  return project.length > projectKeyLengthMax || (own !== undefined && projectKey(own) === project);
}

type ListedFacts = Partial<SessionFacts>;

/** The summary of one session, exact. Throws `session_not_found` when its file is gone. */
export function getSummary(context: ListContext, session: SessionRef): SessionSummary {
  const file = statTranscript(session.path, session.projectKey);
  const summary = file && summariseSession(context, file);
  if (summary) return summary;
  throw storeError("session_not_found", `Cannot read session "${session.sessionId}": its file is gone`);
}

/** As getSummary; undefined when its file is gone. */
export function summariseSession(context: ListContext, file: TranscriptFile): SessionSummary | undefined {
  return sessionSummariser(context)(file);
}

/** The same for many, one after the other: each of their folders is read once, and what is kept of them. */
export function sessionSummariser(
  context: ListContext,
): (file: TranscriptFile) => SessionSummary | undefined {
  const cache = new ListingCache(context.indexDir);
  const folders = new Map<string, ProjectFolder>();
  const flatAgents = new FlatAgents();
  return (file) => {
    const facts = cache.findCurrent(file) ?? readFacts(cache, file, { counts: true });
    if (facts === undefined) return undefined;
    const dir = path.dirname(file.path);
    const folder = folders.get(dir) ?? readProjectFolder(dir, file.projectKey);
    folders.set(dir, folder);
    const summary = summarise(file, facts);
    addCounts(summary, facts, { folder, flatAgents });
    return summary;
  };
}

function readFacts(
  cache: ListingCache,
  file: TranscriptFile,
  { counts }: { counts: boolean },
): ListedFacts | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file.path, "r");
  } catch (error) {
    // Gone since the folder was read, or not ours to read: still there for the list, with what the folder knows.
    return codeOf(error) === "ENOENT" ? undefined : {};
  }
  try {
    return counts ? cache.gather(file.path, fd) : glanceAtFacts(fd, file.bytes);
  } finally {
    fs.closeSync(fd);
  }
}

function summarise(file: TranscriptFile, facts: ListedFacts): SessionSummary {
  const title = facts.customTitle ?? facts.aiTitle;
  const summary: SessionSummary = {
    sessionId: file.sessionId,
    project: file.projectKey,
    path: file.path,
    updatedAt: facts.updatedAt ?? new Date(file.mtimeMs).toISOString(),
    bytes: file.bytes,
  };
  if (facts.cwd !== undefined) summary.cwd = facts.cwd;
  if (title !== undefined) summary.title = title;
  if (facts.tag !== undefined) summary.tag = facts.tag;
  if (facts.firstPrompt !== undefined) summary.firstPrompt = facts.firstPrompt;
  if (facts.gitBranch !== undefined) summary.gitBranch = facts.gitBranch;
  if (facts.startedAt !== undefined) summary.startedAt = facts.startedAt;
  return summary;
}

function addCounts(
  summary: SessionSummary,
  { coverage, messageCount = 0, inlineAgents = 0 }: ListedFacts,
  { folder, flatAgents }: { folder: ProjectFolder; flatAgents: FlatAgents },
): void {
  const { sessionId } = summary;
  const nested = folder.sessionDirs.has(sessionId) ? listNestedAgents(`${folder.path}/${sessionId}`) : [];
  const others =
    nested.filter(({ agentId }) => !isInternalAgent(agentId)).length + flatAgents.countOf(folder, sessionId);
  summary.agents = others + inlineAgents;
  // Of a file that cannot be read, nobody knows.
  if (coverage !== undefined) summary.messageCount = messageCount;
}

/** Which session launched each flat sub-agent: said by its first line. Read once a folder. */
class FlatAgents {
  readonly #byFolder = new Map<string, Map<string, number>>();

  countOf(folder: ProjectFolder, sessionId: string): number {
    if (folder.flatAgents.length === 0) return 0;
    let counts = this.#byFolder.get(folder.path);
    if (counts === undefined) {
      counts = new Map();
      for (const name of folder.flatAgents) {
        if (isInternalAgent(agentIdOfFile(name) ?? "")) continue;
        const owner = sessionOfAgentFile(`${folder.path}/${name}`);
        if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      }
      this.#byFolder.set(folder.path, counts);
    }
    return counts.get(sessionId) ?? 0;
  }
}
