import { uuidOf } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/entries/entry.ts";
import type { SessionRef } from "../list/find-session.ts";
import { openConversation, type Conversation, type ConversationOptions } from "../read/conversation.ts";
import { applyFilter } from "../read/entry-filter.ts";
import { lastOf } from "../read/walk-conversation.ts";
import { findLacking, readSessionEnd } from "./find-owed.ts";
import { listOwed } from "./owed-answer.ts";

/** The conversation of a session with what is owed to it behind its end, as it will be once somebody has appended it. */
export async function openJoined(
  home: string,
  session: SessionRef,
  options: ConversationOptions = {},
): Promise<Conversation> {
  const { leaf, last, withoutOwed, filter } = options;
  const all = withoutOwed ? [] : await readOwedEntries(home, session);
  const until = leaf === undefined ? all.length : all.findIndex((entry) => isNamed(entry, leaf)) + 1;
  const kept = filter ? (entry: Entry): Entry | undefined => applyFilter(entry, filter) : undefined;
  const owed = all.slice(0, until).flatMap((entry) => (kept ? (kept(entry) ?? []) : entry));
  // A leaf of the session itself: nothing of what is owed is before it.
  if (owed.length === 0) return openConversation(session.path, options);
  const shown = last === undefined ? owed : lastOf(owed, last);
  const room = last === undefined ? undefined : last - shown.length;
  const own = await openConversation(session.path, {
    ...options,
    leaf: undefined,
    last: room === undefined ? undefined : Math.max(1, room),
  });
  return joined(own, { shown, isOwnShown: room !== 0 });
}

/** What a session lacks, as entries of it: each hangs on the one before, the first on the end of the session. */
export async function readOwedEntries(home: string, session: SessionRef): Promise<Entry[]> {
  const all = listOwed(home, session.sessionId);
  if (all.length === 0) return [];
  const end = await readSessionEnd(session);
  const found: Entry[] = [];
  for (const owed of all) found.push(...(await findLacking(owed, end)));
  const conversation = await openConversation(session.path, { last: 1 });
  let parentUuid: string | null = conversation.leaf ?? null;
  conversation.close();
  const own: Entry[] = [];
  for (const entry of found) {
    const { agentId: _, ...rest } = entry as Record<string, unknown>;
    const uuid = uuidOf(entry) ?? crypto.randomUUID();
    const { sessionId } = session;
    own.push({ ...rest, parentUuid, isSidechain: false, sessionId, uuid } as unknown as Entry);
    parentUuid = uuid;
  }
  return own;
}

function joined(
  own: Conversation,
  { shown, isOwnShown }: { shown: readonly Entry[]; isOwnShown: boolean },
): Conversation {
  return {
    get lines() {
      return own.lines;
    },
    get links() {
      return own.links;
    },
    get parents() {
      return own.parents;
    },
    leaf: uuidOf(shown.at(-1)!),
    elsewhere: own.elsewhere,
    retracted: own.retracted,
    gaps: own.gaps,
    rejections: own.rejections,
    *entries(filter) {
      if (isOwnShown) yield* own.entries(filter);
      for (const entry of shown) {
        const kept = filter ? applyFilter(entry, filter) : entry;
        if (kept) yield kept;
      }
    },
    close: () => own.close(),
  };
}

function isNamed(entry: Entry, typed: string): boolean {
  return typed !== "" && uuidOf(entry)?.startsWith(typed) === true;
}
