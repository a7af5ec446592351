import { holdfastPaths } from "../format/paths.ts";
import type { Clock } from "../lib/clock.ts";
import type { FileOps } from "../lib/file-ops.ts";
import { renameSession, tagSession } from "./annotate-session.ts";
import { openConversation, readConversation } from "./conversation.ts";
import { countEntries, readAncestry, readCompactions, readEntry } from "./entry-lookup.ts";
import { storeError } from "./errors.ts";
import { findSession } from "./find-session.ts";
import { followTranscript } from "./follow-transcript.ts";
import { forkSession } from "./fork-session.ts";
import { listSessions, summariseSession } from "./list-sessions.ts";
import { moveSession } from "./move-session.ts";
import { listAgents } from "./session-agents.ts";
import type { SessionStore } from "./session-store.ts";
import { readUsage } from "./session-usage.ts";
import { openSessionWriter } from "./session-writer.ts";
import { streamEntries } from "./stream-entries.ts";
import { statTranscript } from "./transcript-files.ts";
import { listTrash, restoreSession, trashSession } from "./trash-session.ts";

export interface SessionStoreOptions {
  /** The client's config folder, with its `projects`. */
  configDir: string;
  /** Holdfast's own folder: leases, trash, caches. */
  home: string;
  clock?: Clock | undefined;
  files?: FileOps | undefined;
  /** Told of folders that may not be read, while listing. */
  onUnreadable?: ((dir: string, error: Error) => void) | undefined;
}

/** The sessions below one config folder. Opens nothing by itself: every call reads what the files say then. */
export function openSessionStore(options: SessionStoreOptions): SessionStore {
  const { configDir, home, onUnreadable } = options;
  const { indexDir } = holdfastPaths(home);
  const context = { configDir, home, indexDir, clock: options.clock, files: options.files };
  const listContext = { configDir, indexDir, ...(onUnreadable && { onUnreadable }) };
  return {
    configDir,
    home,
    list: async (listOptions) => listSessions(listContext, listOptions),
    find: async (id) => findSession(configDir, id),
    summary: async (session) => {
      const file = statTranscript(session.path, session.projectKey);
      const summary = file && summariseSession(listContext, file);
      if (!summary)
        throw storeError("session_not_found", `Cannot read session "${session.sessionId}": its file is gone`);
      return summary;
    },
    conversation: (session, conversationOptions) =>
      openConversation(session.path, { indexDir, ...conversationOptions }),
    readConversation: (session, conversationOptions) =>
      readConversation(session.path, { indexDir, ...conversationOptions }),
    stream: (session, filter) => streamEntries(session.path, filter),
    follow: (session, followOptions) => followTranscript(session.path, followOptions),
    entry: (session, uuid) => readEntry(session.path, uuid, { indexDir }),
    ancestry: (session, uuid) => readAncestry(session.path, uuid, { indexDir }),
    counts: (session) => countEntries(session.path, { indexDir }),
    usage: async (session) => readUsage(session.path),
    compactions: (session) => readCompactions(session.path, { indexDir }),
    agents: (session) => listAgents(session),
    openWriter: (writerOptions) => openSessionWriter(context, writerOptions),
    fork: (session, forkOptions) => forkSession(context, session, { indexDir, ...forkOptions }),
    rename: (session, title) => renameSession(context, session, title),
    tag: (session, tag) => tagSession(context, session, tag),
    trash: async (session) => trashSession(context, session),
    listTrash: async () => listTrash(context),
    restore: async (id) => restoreSession(context, id),
    move: (session, cwd) => moveSession(context, session, cwd),
  };
}
