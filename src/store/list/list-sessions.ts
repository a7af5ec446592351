import { agentIdOfFile, isInternalAgent } from "./agent-file.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "./find-session.ts";
import { byActivity, newestFirst } from "./newest-first.ts";
import { KnownFacts, type KnownFactsOptions } from "./known-facts.ts";
import { isOf, mayHold, type Whereabouts } from "./project-sessions.ts";
import type { SessionFacts } from "./session-facts.ts";
import { SharedFolders } from "./session-files.ts";
import {
  flatAgentsBySession,
  eachProjectFolder,
  listNestedAgents,
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
  /** Of a session in which nobody typed one, the slash command or the schedule that it began with. */
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

/** Without `cwd` and `project`: all projects. */
export interface ListOptions extends Whereabouts {
  /** Only so many, those with the latest activity. */
  limit?: number | undefined;
  /** False leaves counts out, and reads only the two ends of files that the index does not know. Default true. */
  counts?: boolean | undefined;
}

export interface ListContext extends KnownFactsOptions {
  configDir: string;
  onUnreadable?: ((dir: string, error: Error) => void) | undefined;
}

/** Sessions, the latest activity first. Those deleted while they are being listed are left out. */
export function listSessions(
  context: ListContext,
  { cwd, project, limit = Infinity, counts = true }: ListOptions = {},
): SessionSummary[] {
  const where = { cwd, project };
  const folders = eachProjectFolder(context.configDir, {
    wants: (key) => mayHold(key, where),
    onUnreadable: context.onUnreadable,
  });
  const summariser = new SessionSummariser(context, { counts });
  try {
    const summaries =
      limit === Infinity
        ? allOf(folders, { summariser, where })
        : newestOf(folders, { summariser, where, limit });
    const wereAllAsked = cwd === undefined && project === undefined && limit === Infinity;
    summariser.facts.keep({ wereAllAsked });
    return summaries;
  } finally {
    summariser.facts.close();
  }
}

interface Listing {
  summariser: SessionSummariser;
  where: Whereabouts;
}

// What is kept of a whole folder is read at once.
function allOf(folders: Iterable<ProjectFolder>, { summariser, where }: Listing): SessionSummary[] {
  const summaries: SessionSummary[] = [];
  for (const folder of folders) {
    summariser.enter(folder);
    summariser.facts.readBelow(folder.path);
    for (const file of folder.sessions) {
      const summary = summariser.summarise(file);
      if (summary && isOf(summary, where)) summaries.push(summary);
    }
  }
  return summaries.sort(byActivity);
}

// Chosen by a glance; only those that are listed are counted.
function newestOf(
  folders: Iterable<ProjectFolder>,
  { summariser, where, limit }: Listing & { limit: number },
): SessionSummary[] {
  const files: TranscriptFile[] = [];
  for (const folder of folders) {
    summariser.enter(folder);
    files.push(...folder.sessions);
  }
  const chosen = newestFirst(
    files.sort((a, b) => b.mtimeMs - a.mtimeMs),
    {
      limit,
      writtenMs: ({ mtimeMs }) => mtimeMs,
      look(file) {
        const glanced = summariser.glance(file);
        return glanced && isOf(glanced, where) ? { updatedAt: glanced.updatedAt, file } : undefined;
      },
    },
  );
  return chosen.flatMap(({ file }) => summariser.summarise(file) ?? []).sort(byActivity);
}

/** The summary of one session, exact. Throws `session_not_found` when its file is gone. */
export function getSummary(
  context: ListContext,
  session: SessionRef,
  options: { counts?: boolean | undefined } = {},
): SessionSummary {
  const file = statTranscript(session.path, session.projectKey);
  const summary = file && summariseSession(context, file, options);
  if (summary) return summary;
  throw storeError("session_not_found", `Cannot read session "${session.sessionId}": its file is gone`);
}

/** As getSummary; undefined when its file is gone. */
export function summariseSession(
  context: ListContext,
  file: TranscriptFile,
  { counts = true }: { counts?: boolean | undefined } = {},
): SessionSummary | undefined {
  const summariser = new SessionSummariser(context, { counts });
  try {
    return summariser.summarise(file);
  } finally {
    summariser.facts.close();
  }
}

/** Summaries of sessions, one by one: the facts of each, and how many sub-agents lie beside it. Close its facts. */
export class SessionSummariser {
  readonly facts: KnownFacts;
  readonly #counts: boolean;
  readonly #folders = new Map<string, Pick<ProjectFolder, "flatAgents" | "sessionDirs">>();
  readonly #shared = new SharedFolders();

  constructor(context: ListContext, { counts = true }: { counts?: boolean } = {}) {
    this.facts = new KnownFacts(context);
    this.#counts = counts;
  }

  /** Remembers what lies beside the sessions of a folder, so that it is not read again. */
  enter({ path, flatAgents, sessionDirs }: ProjectFolder): void {
    this.#folders.set(path, { flatAgents, sessionDirs });
  }

  /** What the two ends of the file say; undefined when it is gone. */
  glance(file: TranscriptFile): SessionSummary | undefined {
    const facts = this.facts.of(file, { counts: false });
    return facts && summaryOf(file, facts);
  }

  /** Undefined when the file is gone. */
  summarise(file: TranscriptFile): SessionSummary | undefined {
    const facts = this.facts.of(file, { counts: this.#counts });
    if (facts === undefined) return undefined;
    const summary = summaryOf(file, facts);
    if (this.#counts) {
      const { messageCount, inlineAgents = 0 } = facts;
      summary.agents = inlineAgents + this.#countAgents(file);
      // Of a file that cannot be read, nobody knows.
      if (messageCount !== undefined) summary.messageCount = messageCount;
    }
    return summary;
  }

  #countAgents({ path: file, sessionId, projectKey: key }: TranscriptFile): number {
    const dir = file.slice(0, file.lastIndexOf("/"));
    if (!this.#folders.has(dir)) this.enter(readProjectFolder(dir, key));
    const { sessionDirs, flatAgents } = this.#folders.get(dir)!;
    if (flatAgents.length === 0 && !sessionDirs.has(sessionId)) return 0;
    const nested = sessionDirs.has(sessionId) ? listNestedAgents(`${dir}/${sessionId}`) : [];
    const flat = flatAgents.length === 0 ? [] : this.#shared.filesOf(sessionId, dir, flatAgentsBySession);
    const flatIds = flat.map((agent) => agentIdOfFile(agent.slice(dir.length + 1))!);
    const ids = [...nested.map(({ agentId }) => agentId), ...flatIds];
    return ids.filter((agentId) => !isInternalAgent(agentId)).length;
  }
}

function summaryOf(file: TranscriptFile, facts: Partial<SessionFacts>): SessionSummary {
  const title = facts.customTitle ?? facts.aiTitle ?? facts.summary;
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
  const firstPrompt = facts.firstPrompt ?? facts.firstCommand;
  if (firstPrompt !== undefined) summary.firstPrompt = firstPrompt;
  if (facts.gitBranch !== undefined) summary.gitBranch = facts.gitBranch;
  if (facts.startedAt !== undefined) summary.startedAt = facts.startedAt;
  return summary;
}
