import { randomUUID } from "node:crypto";
import type { Entry } from "../../format/entries/entry.ts";
import { GrowingMessages } from "../../store/chat-messages/to-anthropic-messages.ts";
import type { EntryDraft, SessionStore, SessionWriter } from "../../store/index.ts";
import { attendSession, type Attendance } from "../../store/write/session-presence.ts";
import { excuses } from "./excuses.ts";
import type { RunnerMessage } from "../../tasks/ports.ts";

/**
 * The transcript of one conversation. Its file, the lease on it, and the word that somebody talks in it, are there from
 * the first thing said on.
 */
export interface ChatSession {
  readonly id: string;
  /** Something was said in it. */
  readonly isBegun: boolean;
  /** Appends an entry and returns it as it was written. */
  append(draft: EntryDraft): Promise<Entry>;
  /**
   * The conversation as a model is given it, every tool use with a result. Asked for between queries. It is read from the
   * transcript once; from then on it is held, because the session's lease keeps others from writing.
   */
  messages(): Promise<RunnerMessage[]>;
  /** The conversation as it stands in the transcript, also with tools that run right now. */
  entries(): Promise<Entry[]>;
  /**
   * Appends what queries in the background owe to it that have ended, and returns it, as long as this process has it open.
   * Only while nothing else is appended.
   */
  settle(): Promise<Entry[]>;
  /** Gives the lease up; what is appended later takes it again. */
  close(): Promise<void>;
}

export function openChatSession(
  store: SessionStore,
  { cwd, sessionId }: { cwd: string; sessionId?: string },
): ChatSession {
  const id = sessionId ?? randomUUID();
  let isBegun = sessionId !== undefined;
  let writer: Promise<SessionWriter> | undefined;
  let presence: Attendance | undefined;
  let context: GrowingMessages | undefined;
  let appended: Entry[] = [];
  const release = (): void => {
    presence?.release();
    presence = undefined;
  };
  const open = (): Promise<SessionWriter> => {
    if (writer) return writer;
    presence ??= attendSession(store.home, id);
    writer = openAndExcuse(store, { cwd, sessionId: id });
    // Who cannot write now (another process has the session) may be able to later.
    writer.catch(() => {
      writer = undefined;
      release();
    });
    return writer;
  };
  // As it stands in the file: what runs elsewhere is added when it has ended.
  const entries = async (): Promise<Entry[]> => {
    const { session } = await open();
    return (await store.readConversation(session, { mode: "context", withoutOwed: true })).entries;
  };
  return {
    id,
    get isBegun() {
      return isBegun;
    },
    async append(draft) {
      const uuid = await (await open()).append(draft);
      isBegun = true;
      // The writer has checked it.
      const entry = { ...draft, uuid, cwd, sessionId: id } as Entry;
      // As it was written, because a runner may go on to use what it has told; without a result's second form, which no
      // model sees.
      if (context) appended.push(JSON.parse(JSON.stringify({ ...entry, toolUseResult: undefined })) as Entry);
      return entry;
    },
    async messages() {
      const added = context ? appended : await entries();
      context ??= new GrowingMessages();
      context.add(added);
      appended = [];
      return [...context.messages];
    },
    entries,
    async settle() {
      // Who opens it does so first.
      if (!writer) return [];
      const { appended: settled } = await store.settle(await writer);
      if (settled.length > 0) {
        context = undefined;
        appended = [];
      }
      return settled;
    },
    async close() {
      const closing = writer;
      writer = context = undefined;
      appended = [];
      await closing?.then((opened) => opened.close());
      release();
    },
  };
}

// A session whose query goes on elsewhere waits for that; whoever says something before says so to the model first.
async function openAndExcuse(
  store: SessionStore,
  { cwd, sessionId }: { cwd: string; sessionId: string },
): Promise<SessionWriter> {
  const writer = await store.openWriter({ cwd, sessionId });
  try {
    const { underWay } = await store.settle(writer);
    if (underWay.length > 0) {
      const own = { mode: "context", withoutOwed: true } as const;
      const { entries } = await store.readConversation(writer.session, own);
      for (const draft of excuses(entries, underWay)) await writer.append(draft);
    }
    return writer;
  } catch (error) {
    await writer.close();
    throw error;
  }
}
