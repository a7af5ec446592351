import { holdfastPaths } from "../format/paths.ts";
import {
  findArchivedSummary,
  listArchived,
  listArchivedSummaries,
  withArchived,
} from "./archive/archived-sessions.ts";
import { findAnySession, findInArchive } from "./archive/find-archived.ts";
import { refuseArchived } from "./archive/refuse-archived.ts";
import { storeError } from "./errors.ts";
import type { SessionRef } from "./list/find-session.ts";
import { getSummary, listSessions, type ListOptions, type SessionSummary } from "./list/list-sessions.ts";
import { namedSession } from "./list/named-session.ts";
import { countElsewhere, countSessions, findProject, listProjects } from "./list/project-sessions.ts";
import type { SessionStoreOptions } from "./open-session-store.ts";
import { openJoined } from "./owed/join-owed.ts";
import { readAll } from "./read/conversation.ts";
import type { SessionStore } from "./session-store.ts";

type Looks =
  | "projectOf"
  | "count"
  | "projects"
  | "elsewhere"
  | "list"
  | "find"
  | "named"
  | "summary"
  | "conversation"
  | "readConversation"
  | "listArchive";

/** What most processes come for: listing, finding and reading sessions. Every call reads what the files say then. */
export interface SessionFinder extends Pick<SessionStore, Looks> {
  /** Throws when an archived session has this id: a new transcript would stand in its way. */
  refuseIfArchived(sessionId: string | undefined): void;
}

export function lookAtSessions(options: SessionStoreOptions): SessionFinder {
  const { configDir, home, onUnreadable, onIndexTrouble } = options;
  const { indexDir, archiveDir } = holdfastPaths(home);
  const archive = { configDir, archiveDir, onUnreadable };
  const context = { configDir, indexDir, onUnreadable, onIndexTrouble };
  const list = (listOptions?: ListOptions): SessionSummary[] =>
    withArchived(archive, listSessions(context, listOptions), listOptions);
  return {
    projectOf: async (cwd) => findProject(configDir, { cwd, userHome: options.userHome }),
    count: async () => countSessions(configDir) + listArchivedSummaries(archive).length,
    projects: async () => listProjects(configDir, onUnreadable),
    elsewhere: async (project) => countElsewhere(configDir, project),
    list: async (listOptions) => list(listOptions),
    find: async (id, { project } = {}): Promise<SessionRef> => {
      if (id !== "@last") return findAnySession(archive, id);
      const [newest] = list({ project, limit: 1, counts: false });
      if (newest) return { sessionId: newest.sessionId, projectKey: newest.project, path: newest.path };
      const where = project === undefined ? "there are no sessions" : `"${project}" has no session`;
      throw storeError("session_not_found", `Cannot find session @last: ${where}`, { fields: { near: [] } });
    },
    named: async (sessionId, where) => namedSession(archive, { sessionId, ...where }),
    summary: async (session, summing) =>
      findArchivedSummary(session) ?? getSummary(context, session, summing),
    conversation: (session, reading) => openJoined(home, session, reading),
    readConversation: async (session, reading) => readAll(await openJoined(home, session, reading)),
    listArchive: async () => listArchived(archive),
    refuseIfArchived(sessionId) {
      if (sessionId === undefined) return;
      for (const session of findInArchive(archive, sessionId))
        if (session.sessionId === sessionId) refuseArchived(session);
    },
  };
}
