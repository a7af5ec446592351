import { holdfastPaths } from "../format/paths.ts";
import { once } from "../lib/once.ts";
import type { SessionRef } from "./list/find-session.ts";
import type { SessionStore } from "./session-store.ts";
import type { StoreContext } from "./write/session-writer.ts";

export interface SessionStoreOptions extends StoreContext {
  /** Called for each folder that cannot be read during a listing. */
  onUnreadable?: ((dir: string, error: Error) => void) | undefined;
  /** The person's home folder, which is no project of what is inside of it. */
  userHome?: string | undefined;
}

/**
 * The sessions below one config folder. Opens nothing by itself: every call reads what the files say then. Each verb is
 * loaded when it is first used.
 */
export function openSessionStore(options: SessionStoreOptions): SessionStore {
  const { configDir, home, settingsFile, onIndexTrouble, clock, files, isTaskOver } = options;
  const { indexDir } = holdfastPaths(home);
  const context = { configDir, home, settingsFile, indexDir, onIndexTrouble, clock, files, isTaskOver };
  const looking = once(async () => (await import("./look-at-sessions.ts")).lookAtSessions(options));
  const changeable = async (session: SessionRef): Promise<SessionRef> =>
    (await import("./archive/refuse-archived.ts")).refuseArchived(session);
  return {
    configDir,
    home,
    list: async (listOptions) => (await looking()).list(listOptions),
    projectOf: async (cwd) => (await looking()).projectOf(cwd),
    count: async () => (await looking()).count(),
    projects: async () => (await looking()).projects(),
    elsewhere: async (project) => (await looking()).elsewhere(project),
    find: async (id, where) => (await looking()).find(id, where),
    named: async (sessionId, where) => (await looking()).named(sessionId, where),
    agent: async (session, agentId) =>
      (await import("./list/agent-of-session.ts")).agentOfSession(session, agentId),
    agentFiles: async (session) => (await import("./list/agent-of-session.ts")).agentFilesOf(session),
    findAgent: async (agentId) => (await import("./list/find-agent.ts")).findAgent(configDir, agentId),
    strayAgents: async (where) => (await import("./list/stray-agents.ts")).listStrayAgents(configDir, where),
    findMessage: async (id, where) =>
      (await import("./list/find-message.ts")).findMessage(
        { ...context, onUnreadable: options.onUnreadable },
        { id, ...where },
      ),
    summary: async (session, summing) => (await looking()).summary(session, summing),
    conversation: async (session, reading) => (await looking()).conversation(session, reading),
    readConversation: async (session, reading) => (await looking()).readConversation(session, reading),
    owed: async (session) => (await import("./owed/join-owed.ts")).readOwedEntries(home, session),
    async *stream(session, filter) {
      yield* (await import("./read/stream-entries.ts")).streamEntries(session.path, filter);
    },
    async *bytes(session) {
      yield* (await import("./read/read-bytes.ts")).readTranscriptBytes(session.path);
    },
    async *follow(session, followOptions) {
      yield* (await import("./read/follow-transcript.ts")).followTranscript(session.path, followOptions);
    },
    entry: async (session, uuid) => (await import("./read/entry-lookup.ts")).readEntry(session.path, uuid),
    ancestry: async (session, uuid) =>
      (await import("./read/entry-lookup.ts")).readAncestry(session.path, uuid),
    counts: async (session) => (await import("./read/entry-lookup.ts")).countEntries(session.path),
    usage: async (session) => (await import("./read/session-usage.ts")).readUsage(session.path),
    compactions: async (session) => (await import("./read/entry-lookup.ts")).readCompactions(session.path),
    agents: async (session) => (await import("./list/session-agents.ts")).listAgents(session),
    async openWriter(writerOptions) {
      (await looking()).refuseIfArchived(writerOptions.sessionId);
      return (await import("./write/session-writer.ts")).openSessionWriter(context, writerOptions);
    },
    settle: async (writer) => (await import("./write/session-writer.ts")).settle(context, writer),
    attend: async (sessionId) => (await import("./write/session-presence.ts")).attendSession(home, sessionId),
    fork: async (session, forkOptions) =>
      (await import("./change/fork-session.ts")).forkSession(context, await changeable(session), forkOptions),
    rename: async (session, title) =>
      (await import("./change/annotate-session.ts")).renameSession(context, await changeable(session), title),
    tag: async (session, tag) =>
      (await import("./change/annotate-session.ts")).tagSession(context, await changeable(session), tag),
    trash: async (session) =>
      (await import("./change/trash-session.ts")).trashSession(context, await changeable(session)),
    reset: async (cwd) => (await import("./change/reset-project.ts")).resetProject(context, cwd),
    undoReset: async (cwd) => (await import("./change/reset-project.ts")).undoReset(context, cwd),
    listTrash: async () => (await import("./change/trash-session.ts")).listTrash(context),
    restore: async (id) => (await import("./change/trash-session.ts")).restoreSession(context, id),
    move: async (session, cwd) =>
      (await import("./change/move-session.ts")).moveSession(context, await changeable(session), cwd),
    listArchive: async () => (await looking()).listArchive(),
    verifyArchive: async (verifyOptions) =>
      (await import("./archive/verify-archive.ts")).verifyArchive(
        holdfastPaths(context.home).archiveDir,
        verifyOptions,
      ),
    archive: async (request) =>
      (await import("./archive/archive-chosen.ts")).archiveChosen(
        { ...context, onUnreadable: options.onUnreadable },
        request,
      ),
    openArchive: async () => (await import("./archive/open-archive.ts")).openArchive(context),
    keep: async (keepOptions) => (await import("./archive/keep-sessions.ts")).keep(context, keepOptions),
    todos: async (session) =>
      (await import("./companions/todos.ts")).readTodos({ configDir, session: await changeable(session) }),
    files: async (session) =>
      (await import("./companions/file-history.ts")).readFileHistory({
        configDir,
        session: await changeable(session),
      }),
    diffFiles: async (session, request) =>
      (await import("./companions/diff-files.ts")).diffFiles({
        ...request,
        configDir,
        session: await changeable(session),
      }),
    undoFiles: async (session, request) =>
      (await import("./companions/undo-files.ts")).undoFiles({
        ...request,
        home,
        configDir,
        session: await changeable(session),
        clock,
        files,
      }),
  };
}
