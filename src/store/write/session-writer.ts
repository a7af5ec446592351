import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { isSafeName, projectKey as projectKeyOf, configPaths, holdfastPaths } from "../../format/paths.ts";
import { whyNotWritable } from "../../format/entry-draft.ts";
import { systemClock, type Clock } from "../../lib/clock.ts";
import type { FileOps } from "../../lib/file-ops.ts";
import { findClientProcess } from "./client-processes.ts";
import { openConversation } from "../read/conversation.ts";
import { storeError } from "../errors.ts";
import { listOwed } from "../owed/owed-answer.ts";
import type { Settled, SettlePlace } from "../owed/settle-owed.ts";
import type { SessionRef } from "../list/find-session.ts";
import type { IndexTrouble } from "../index/derived-index.ts";
import { openTranscriptWriter, type Durability, type TranscriptWriter } from "./transcript-writer.ts";

export interface SessionWriterOptions {
  /** The working directory: names the project and goes into every entry. */
  cwd: string;
  /** An existing session to go on with, or the id of a new one; random when absent. */
  sessionId?: string | undefined;
  /** The project that it is filed under, when that is not the working directory's. */
  projectKey?: string | undefined;
  /** Write a sub-agent's transcript of that session instead of its main one. */
  agentId?: string | undefined;
  gitBranch?: string | undefined;
  durability?: Durability | undefined;
}

export interface StoreContext {
  /** The client's config folder, with its `projects`. */
  configDir: string;
  /** Holdfast's own folder: leases, trash, caches. */
  home: string;
  /** The user's settings, where they are not in that folder. */
  settingsFile?: string | undefined;
  clock?: Clock | undefined;
  files?: FileOps | undefined;
  /** Whether a task that owes something to a session has ended; without it, what is owed waits. */
  isTaskOver?: SettlePlace["isTaskOver"];
  /** Called when the index cannot be used, so that an answer comes from the files and takes longer. */
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
}

/** A message or system line before it has an envelope; `uuid`, `parentUuid` and `timestamp` may be given. */
export type EntryDraft = { type: "user" | "assistant" | "system" | "attachment" } & Record<string, unknown>;

/** Appends to one session, giving each entry its envelope and hanging it on the one before. */
export interface SessionWriter {
  readonly session: SessionRef;
  /** The parent uuid of the next entry; null at the start of a conversation. */
  readonly leaf: string | null;
  /**
   * Resolves to the entry's uuid once it is as durable as chosen. Throws `entry_invalid`, and writes nothing, if the
   * entry is not valid.
   */
  append(draft: EntryDraft): Promise<string>;
  /**
   * Appends one line unchanged, for entries that must keep their bytes. It does not become the parent of the next
   * draft.
   */
  appendLine(line: string | Uint8Array): Promise<void>;
  /** Appends an entry that is not part of the conversation (a title, a tag), as it is. */
  appendMeta(entry: { type: string } & Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Says in the entries who wrote them, where the client puts its own version. */
export const WRITER_VERSION = "0.1.0";
/** The same, where it puts its entry point. */
const ENTRYPOINT = "holdfast";

/**
 * Opens a session for writing, a new one or at its newest message. Throws `conflict` when another Holdfast
 * process writes it and `session_in_use` while a client has it open: two writers lose each other's turns.
 */
export async function openSessionWriter(
  context: StoreContext,
  options: SessionWriterOptions,
): Promise<SessionWriter> {
  const { cwd, sessionId = randomUUID(), agentId } = options;
  if (!isSafeName(sessionId))
    throw new TypeError(`Cannot open session "${sessionId}": not a plain file name`);
  const paths = configPaths(context.configDir);
  const ref = { projectKey: options.projectKey ?? projectKeyOf(cwd), sessionId };
  const file = agentId === undefined ? paths.transcriptPath(ref) : paths.nestedAgentPath({ ...ref, agentId });
  // A sub-agent of ours has a file of its own, which the client that has the session open does not write.
  if (agentId === undefined) refuseWhileInUse(context.configDir, sessionId);
  const transcript = openTranscriptWriter({
    file,
    sessionId,
    leaseDir: holdfastPaths(context.home).leasesDir,
    ...(options.durability && { durability: options.durability }),
    ...(context.files && { files: context.files }),
  });
  try {
    const leaf = await newestUuid(file);
    const writer = writerOf(transcript, {
      ...context,
      ...options,
      sessionId,
      file,
      projectKey: ref.projectKey,
      leaf,
    });
    if (agentId === undefined && leaf !== null) await settle(context, writer);
    return writer;
  } catch (error) {
    await transcript.close();
    throw error;
  }
}

/** Appends what queries owe to the session that are over: nothing else comes before it. */
export async function settle(context: SettlePlace, writer: SessionWriter): Promise<Settled> {
  const { sessionId } = writer.session;
  if (listOwed(context.home, sessionId).length === 0) return { appended: [], underWay: [] };
  return (await import("../owed/settle-owed.ts")).settleOwed(context, writer);
}

/** Throws `session_in_use` while a process of the client has the session open. */
export function refuseWhileInUse(configDir: string, sessionId: string): void {
  const owner = findClientProcess(configDir, sessionId);
  if (!owner) return;
  throw storeError(
    "session_in_use",
    `Cannot write session "${sessionId}": the client with pid ${owner.pid} has it open; close it first`,
    {
      retryable: true,
      fields: { pid: owner.pid, sessionId },
    },
  );
}

/** The uuid that the next entry hangs on; null in a transcript that is empty or not there. */
export async function newestUuid(file: string): Promise<string | null> {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.size) return null;
  const conversation = await openConversation(file, { last: 1 });
  try {
    return conversation.leaf ?? null;
  } finally {
    conversation.close();
  }
}

export interface EnvelopeOptions extends Pick<SessionWriterOptions, "cwd" | "agentId" | "gitBranch"> {
  sessionId: string;
  /** What the entry hangs on, unless the draft says otherwise. */
  leaf: string | null;
  clock: Clock;
}

/** Gives a draft what every entry has: who it is, what it hangs on, when and where it was written. */
export function withEnvelope(
  draft: EntryDraft,
  { leaf, clock, sessionId, cwd, agentId, gitBranch }: EnvelopeOptions,
): EntryDraft & { uuid: string } {
  // A parent that is undefined was not given; only null begins a new conversation.
  const { parentUuid = leaf, ...rest } = draft;
  return {
    parentUuid,
    isSidechain: agentId !== undefined,
    ...(agentId !== undefined && { agentId }),
    ...rest,
    uuid: (draft["uuid"] as string | undefined) ?? randomUUID(),
    timestamp: draft["timestamp"] ?? clock.now().toISOString(),
    userType: "external",
    entrypoint: ENTRYPOINT,
    cwd,
    sessionId,
    version: WRITER_VERSION,
    ...(gitBranch !== undefined && { gitBranch }),
  };
}

interface WriterState extends SessionWriterOptions {
  clock?: Clock | undefined;
  sessionId: string;
  projectKey: string;
  file: string;
  leaf: string | null;
}

function writerOf(transcript: TranscriptWriter, state: WriterState): SessionWriter {
  const { clock = systemClock, sessionId, projectKey, file } = state;
  let { leaf } = state;
  // Appends under way hang on each other before anyone knows which of them will fail.
  let written = leaf;
  let underWay = 0;
  return {
    session: { sessionId, projectKey, path: file },
    get leaf() {
      return leaf;
    },
    async append(draft) {
      const why = whyNotWritable(draft);
      if (why !== undefined)
        throw storeError("entry_invalid", `Cannot append to session "${sessionId}": ${why}`, {
          fields: { sessionId },
        });
      const entry = withEnvelope(draft, { ...state, leaf, clock });
      const { uuid } = entry;
      // The next entry hangs on this one from now on: appends are written in the order of the calls.
      leaf = uuid;
      underWay++;
      try {
        await transcript.append(entry);
        written = uuid;
      } finally {
        if (--underWay === 0) leaf = written;
      }
      return uuid;
    },
    appendLine: (line) => transcript.appendLine(line),
    appendMeta: (entry) => transcript.append({ ...entry, sessionId }),
    close: () => transcript.close(),
    [Symbol.asyncDispose]: () => transcript.close(),
  };
}
