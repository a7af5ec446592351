import { holdfastPaths } from "../format/paths.ts";
import type { Clock } from "../lib/clock.ts";
import type { FileOps } from "../lib/file-ops.ts";
import { findArchivedSummary, listArchived, withArchived } from "./archive/archived-sessions.ts";
import { findAnySession, findInArchive } from "./archive/find-archived.ts";
import { refuseArchived } from "./archive/refuse-archived.ts";
import { openConversation, readConversation } from "./read/conversation.ts";
import { getSummary, listSessions } from "./list/list-sessions.ts";
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
      yield* (await import("./read/stream-entries.ts")).streamEntries(session.path, filter);
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
      // A new transcript would stand in the way of the one in the archive.
      const { sessionId } = writerOptions;
      const archived = sessionId === undefined ? [] : findInArchive(archive, sessionId);
      for (const session of archived) if (session.sessionId === sessionId) refuseArchived(session);
      return (await import("./write/session-writer.ts")).openSessionWriter(context, writerOptions);
    },
    fork: async (session, forkOptions) =>
      (await import("./change/fork-session.ts")).forkSession(context, refuseArchived(session), forkOptions),
    rename: async (session, title) =>
      (await import("./change/annotate-session.ts")).renameSession(context, refuseArchived(session), title),
    tag: async (session, tag) =>
      (await import("./change/annotate-session.ts")).tagSession(context, refuseArchived(session), tag),
    trash: async (session) =>
      (await import("./change/trash-session.ts")).trashSession(context, refuseArchived(session)),
    listTrash: async () => (await import("./change/trash-session.ts")).listTrash(context),
    restore: async (id) => (await import("./change/trash-session.ts")).restoreSession(context, id),
    move: async (session, cwd) =>
      (await import("./change/move-session.ts")).moveSession(context, refuseArchived(session), cwd),
    listArchive: async () => listArchived(archive),
    openArchive: async () => (await import("./archive/open-archive.ts")).openArchive(context),
  };
}
