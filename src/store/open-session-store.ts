import { holdfastPaths } from "../format/paths.ts";
import type { Clock } from "../lib/clock.ts";
import type { FileOps } from "../lib/file-ops.ts";
import { findArchivedSummary, listArchived, withArchived } from "./archive/archived-sessions.ts";
import { findAnySession, findInArchive } from "./archive/find-archived.ts";
import { refuseArchived } from "./archive/refuse-archived.ts";
import { openConversation, readConversation } from "./conversation.ts";
import { getSummary, listSessions } from "./list-sessions.ts";
import type { IndexTrouble } from "./index/derived-index.ts";
import type { SessionStore } from "./session-store.ts";

export interface SessionStoreOptions {
  /** The client's config folder, with its `projects`. */
  configDir: string;
  /** Holdfast's own folder: leases, trash, caches. */
  home: string;
  clock?: Clock | undefined;
  files?: FileOps | undefined;
  /** Told of folders that may not be read, while listing. */
  onUnreadable?: ((dir: string, error: Error) => void) | undefined;
  /** Told when the index is of no use, so that an answer comes from the files and takes longer. */
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
}

/**
 * The sessions below one config folder. Opens nothing by itself: every call reads what the files say then. What most
 * processes come for (list, find, read) is there at once; every other verb is loaded when it is first used.
 */
export function openSessionStore(options: SessionStoreOptions): SessionStore {
  const { configDir, home, onUnreadable, onIndexTrouble } = options;
  const { indexDir, archiveDir } = holdfastPaths(home);
  const context = { configDir, home, indexDir, onIndexTrouble, clock: options.clock, files: options.files };
  const archive = { configDir, archiveDir, onUnreadable };
  const listContext = { configDir, indexDir, onUnreadable, onIndexTrouble };
  return {
    configDir,
    home,
    list: async (listOptions) => withArchived(archive, listSessions(listContext, listOptions), listOptions),
    find: async (id) => findAnySession(archive, id),
    summary: async (session) => findArchivedSummary(session) ?? getSummary(listContext, session),
    conversation: (session, conversationOptions) => openConversation(session.path, conversationOptions),
    readConversation: (session, conversationOptions) => readConversation(session.path, conversationOptions),
    async *stream(session, filter) {
      yield* (await import("./stream-entries.ts")).streamEntries(session.path, filter);
    },
    async *follow(session, followOptions) {
      yield* (await import("./follow-transcript.ts")).followTranscript(session.path, followOptions);
    },
    entry: async (session, uuid) => (await import("./entry-lookup.ts")).readEntry(session.path, uuid),
    ancestry: async (session, uuid) => (await import("./entry-lookup.ts")).readAncestry(session.path, uuid),
    counts: async (session) => (await import("./entry-lookup.ts")).countEntries(session.path),
    usage: async (session) => (await import("./session-usage.ts")).readUsage(session.path),
    compactions: async (session) => (await import("./entry-lookup.ts")).readCompactions(session.path),
    agents: async (session) => (await import("./session-agents.ts")).listAgents(session),
    async openWriter(writerOptions) {
      // A new transcript would stand in the way of the one in the archive.
      const { sessionId } = writerOptions;
      const archived = sessionId === undefined ? [] : findInArchive(archive, sessionId);
      for (const session of archived) if (session.sessionId === sessionId) refuseArchived(session);
      return (await import("./session-writer.ts")).openSessionWriter(context, writerOptions);
    },
    fork: async (session, forkOptions) =>
      (await import("./fork-session.ts")).forkSession(context, refuseArchived(session), forkOptions),
    rename: async (session, title) =>
      (await import("./annotate-session.ts")).renameSession(context, refuseArchived(session), title),
    tag: async (session, tag) =>
      (await import("./annotate-session.ts")).tagSession(context, refuseArchived(session), tag),
    trash: async (session) =>
      (await import("./trash-session.ts")).trashSession(context, refuseArchived(session)),
    listTrash: async () => (await import("./trash-session.ts")).listTrash(context),
    restore: async (id) => (await import("./trash-session.ts")).restoreSession(context, id),
    move: async (session, cwd) =>
      (await import("./move-session.ts")).moveSession(context, refuseArchived(session), cwd),
    listArchive: async () => listArchived(archive),
    openArchive: async () => (await import("./archive/open-archive.ts")).openArchive(context),
  };
}
