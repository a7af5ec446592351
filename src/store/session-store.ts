import type { Entry } from "../format/index.ts";
import type { ArchiveRequest, ArchiveResult } from "./archive/archive-chosen.ts";
import type { ArchivedSession } from "./archive/archived-sessions.ts";
import type { KeepOptions, KeepResult } from "./archive/keep-sessions.ts";
import type { VerifiedArchive, VerifyOptions } from "./archive/verify-archive.ts";
import type { Archive } from "./archive/open-archive.ts";
import type { DiffRequest, FileDiff } from "./companions/diff-files.ts";
import type { FileHistory } from "./companions/file-history.ts";
import type { Todos } from "./companions/todos.ts";
import type { UndoRequest, UndoResult } from "./companions/undo-files.ts";
import type { SessionAgent } from "./list/session-agents.ts";
import type { Settled } from "./owed/settle-owed.ts";
import type { Conversation, ConversationOptions, ReadConversation } from "./read/conversation.ts";
import type { Compaction } from "./read/entry-lookup.ts";
import type { EntryFilter } from "./read/entry-filter.ts";
import type { StreamedLine } from "./read/stream-entries.ts";
import type { FollowEvent, FollowOptions } from "./read/follow-transcript.ts";
import type { ForkResult } from "./change/fork-session.ts";
import type { FoundMessage } from "./list/find-message.ts";
import type { ProjectSummary, SessionsElsewhere } from "./list/project-sessions.ts";
import type { ListOptions, SessionSummary } from "./list/list-sessions.ts";
import type { SessionRef } from "./list/find-session.ts";
import type { StrayAgent } from "./list/stray-agents.ts";
import type { SessionUsage } from "./read/session-usage.ts";
import type { Attendance } from "./write/session-presence.ts";
import type { SessionWriter, SessionWriterOptions } from "./write/session-writer.ts";
import type { ProjectReset } from "./change/reset-project.ts";
import type { TrashedSession } from "./change/trash-session.ts";

/** Everything that can be asked of, or done to, the sessions below one config folder. */
export interface SessionStore {
  /** The client's config folder. */
  readonly configDir: string;
  /** Holdfast's own folder. */
  readonly home: string;

  /** The latest activity first. Archived sessions are included (`archived`). */
  list(options?: ListOptions): Promise<SessionSummary[]>;
  /** The project that a folder is in: the nearest folder, this one or one above, in which a session was held. */
  projectOf(cwd: string): Promise<string>;
  /** How many there are, archived ones too, without looking into any. */
  count(): Promise<number>;
  /** The folders in which there are sessions, the one that was written last first; what is only in the archive is not counted. */
  projects(): Promise<ProjectSummary[]>;
  /** How many sessions are not of a project. */
  elsewhere(project: string): Promise<SessionsElsewhere>;
  /**
   * By id, unique prefix, `@last` or path, also in the archive. `@last` is the first that `list` lists, of a project if one is
   * named. Throws `session_not_found` (fields.near) or `session_ambiguous` (fields.candidates).
   */
  find(id: string, where?: { project?: string | undefined }): Promise<SessionRef>;
  /**
   * By its whole id, also in the archive: never by a prefix or a path, for those who may name sessions and no files. Throws
   * `session_not_found` or `session_ambiguous` (name its project's folder then).
   */
  named(sessionId: string, where?: { project?: string | undefined }): Promise<SessionRef>;
  /** Sub-agents of sessions that have no transcript any more, of a project or of all. */
  strayAgents(where?: { project?: string | undefined }): Promise<StrayAgent[]>;
  /** The transcript of a sub-agent of this session, by its whole id. Throws `session_not_found`. */
  agent(session: SessionRef, agentId: string): Promise<SessionRef>;
  /** The transcripts of its sub-agents by their ids; what else is known of them, `agents` says. */
  agentFiles(session: SessionRef): Promise<Map<string, string>>;
  /** The transcript of a sub-agent of any session, by its id or unique prefix; undefined when there is none. Throws `session_ambiguous`. */
  findAgent(agentId: string): Promise<SessionRef | undefined>;
  /**
   * The message whose id begins this way, in the sessions of a project or of all projects. Reads sessions until it is
   * found. Throws `entry_ambiguous`.
   */
  findMessage(id: string, where?: { project?: string | undefined }): Promise<FoundMessage | undefined>;
  /** The facts that a list shows of one session; without `counts` only its two ends are read. Throws `session_not_found`. */
  summary(session: SessionRef, options?: { counts?: boolean | undefined }): Promise<SessionSummary>;

  /** Opens the conversation to be read entry by entry, in any size. Throws `session_not_found` or `not_a_transcript`. */
  conversation(session: SessionRef, options?: ConversationOptions): Promise<Conversation>;
  /** The same, read at once. */
  readConversation(session: SessionRef, options?: ConversationOptions): Promise<ReadConversation>;
  /** The answers of queries in the background that it still lacks, as they will stand at its end. */
  owed(session: SessionRef): Promise<Entry[]>;
  /** Every line in file order: entries that pass the filter, and every rejection. */
  stream(session: SessionRef, filter?: EntryFilter): AsyncGenerator<StreamedLine>;
  /** The file itself, byte for byte. */
  bytes(session: SessionRef): AsyncGenerator<Buffer>;
  /** Every entry as it is written, and entries that were taken back, until the signal. */
  follow(session: SessionRef, options: FollowOptions): AsyncGenerator<FollowEvent>;
  /** One entry by its uuid, or a beginning that only one has. Throws `entry_not_found` or `entry_ambiguous`. */
  entry(session: SessionRef, uuid: string): Promise<Entry>;
  /** From the root to the entry, by parents alone. */
  ancestry(session: SessionRef, uuid: string): Promise<Entry[]>;
  /** How many entries it has of each type. */
  counts(session: SessionRef): Promise<Record<string, number>>;
  /** Its tokens, each message once. */
  usage(session: SessionRef): Promise<SessionUsage>;
  /** Where the conversation was summarised, oldest first. */
  compactions(session: SessionRef): Promise<Compaction[]>;
  /** The sub-agents of the session, with their transcripts. */
  agents(session: SessionRef): Promise<SessionAgent[]>;

  /**
   * Opens a session for writing, a new one unless it is named. As long as it is open the session's notices are for this
   * process. Throws `conflict`, `session_in_use` or `session_archived`.
   */
  openWriter(options: SessionWriterOptions): Promise<SessionWriter>;
  /**
   * Appends to the session of an open writer what queries in the background owe to it and have ended, and says what goes
   * on. Opening a writer does it first; who keeps one open does it when nothing else is being written.
   */
  settle(writer: SessionWriter): Promise<Settled>;
  /** Marks a session as in use without writing to it: its notices are for this process. Throws `conflict`. */
  attend(sessionId: string): Promise<Attendance>;
  /** A new session with the conversation up to an entry; this one keeps every byte. Throws `entry_not_found`. */
  fork(
    session: SessionRef,
    options?: { at?: string | undefined; title?: string | undefined },
  ): Promise<ForkResult>;
  /** Gives it a title, as the client does. Throws `session_archived`. */
  rename(session: SessionRef, title: string): Promise<void>;
  /** Gives it a tag, as the client does, or takes it away. Throws `session_archived`. */
  tag(session: SessionRef, tag: string | undefined): Promise<void>;
  /** Into the trash of the Holdfast home, with its companions. Throws `conflict` or `session_in_use`. */
  trash(session: SessionRef): Promise<TrashedSession>;
  /**
   * The whole history of a directory's project into the trash: every session with its companions. Nothing is moved while one
   * of them is in use: throws `session_in_use` or `conflict`. Sessions in the archive stay there.
   */
  reset(cwd: string): Promise<ProjectReset>;
  /** Puts back what the last reset of the project moved. Throws `trash_not_found` or `target_exists`. */
  undoReset(cwd: string): Promise<SessionRef[]>;
  /** What is in the trash, newest first. */
  listTrash(): Promise<TrashedSession[]>;
  /** Puts it back where it was, by id or unique prefix. Throws `trash_not_found`, `session_ambiguous` or `target_exists`. */
  restore(id: string): Promise<SessionRef>;
  /** Files the session under the project of another working directory. Throws `session_in_use` or `target_exists`. */
  move(session: SessionRef, cwd: string): Promise<SessionRef>;
  /** Every archived session, newest first, also sessions that exist outside the archive again. */
  listArchive(): Promise<ArchivedSession[]>;
  /** Compares everything in the archive with the checksums that were made when it was packed. */
  verifyArchive(options?: VerifyOptions): Promise<VerifiedArchive>;
  /** Packs sessions: those that are named, or that were not used for some time. Throws `conflict`, as openArchive. */
  archive(request: ArchiveRequest): Promise<ArchiveResult>;
  /** Opens the archive for changes. Throws `conflict` while another process is at work in it. */
  openArchive(): Promise<Archive>;
  /** While it is on, copies sessions that the client would soon delete into the archive. */
  keep(options?: KeepOptions): Promise<KeepResult>;

  /** The to-do lists of the session. */
  todos(session: SessionRef): Promise<Todos>;
  /** The files that it changed, as they were before each prompt. */
  files(session: SessionRef): Promise<FileHistory>;
  /** What changed in them since a snapshot: since the first, unless `from` names one. Throws `companion_not_found`. */
  diffFiles(session: SessionRef, options?: DiffRequest): Promise<FileDiff[]>;
  /** Puts them back to a snapshot: the first, unless `to` names one. What is overwritten is kept in the home. */
  undoFiles(session: SessionRef, options?: UndoRequest): Promise<UndoResult>;
}
