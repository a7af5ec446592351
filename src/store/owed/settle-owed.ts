import fs from "node:fs";
import type { Entry } from "../../format/entries/entry.ts";
import type { SessionRef } from "../list/find-session.ts";
import { findLacking, readSessionEnd, type SessionEnd } from "./find-owed.ts";
import { isOver, listOwed, removeOwed, type AskIfOver, type OwedAnswer } from "./owed-answer.ts";

export interface SettlePlace {
  home: string;
  /** Whether a task has ended. Without it nobody knows, and nothing is appended. */
  isTaskOver?: AskIfOver | undefined;
}

/** Who may write the session, and gives entries its envelope. */
export interface OwnSession {
  session: SessionRef;
  append(draft: Draft): Promise<string>;
}

type Draft = { type: "user" | "assistant" | "system" | "attachment" } & Record<string, unknown>;

export interface Settled {
  /** What the session did not have before, in its order. */
  appended: Entry[];
  /** What goes on: it is owed until it has ended. */
  underWay: OwedAnswer[];
}

/**
 * Appends to a session what is owed to it by queries that are over, each entry once, and removes what says so when all of
 * it is synced. Only while nothing else is appended.
 */
export async function settleOwed(place: SettlePlace, own: OwnSession): Promise<Settled> {
  const settled: Settled = { appended: [], underWay: [] };
  let end: SessionEnd | undefined;
  for (const owed of listOwed(place.home, own.session.sessionId)) {
    // Asked before its transcript is read: what is read then is all of it.
    if (!place.isTaskOver || !(await isOver(owed, place.isTaskOver))) {
      settled.underWay.push(owed);
      continue;
    }
    end ??= await readSessionEnd(own.session);
    settled.appended.push(...(await settleOne(owed, end, own)));
    removeOwed(place.home, owed);
  }
  return settled;
}

async function settleOne(owed: OwedAnswer, end: SessionEnd, own: OwnSession): Promise<Entry[]> {
  const lacking = await findLacking(owed, end);
  const drafts = lacking.map(withoutEnvelope);
  const results = end.open.interrupted(INTERRUPTED);
  for (const draft of [...drafts, ...results]) await own.append(draft);
  await syncFile(own.session.path);
  return [...lacking, ...(results as unknown as Entry[])];
}

const INTERRUPTED = "Interrupted: the run ended before a result of this tool was recorded. It may have run.";

// The session's writer gives it its own; what it hung on is in another file.
function withoutEnvelope(entry: Entry): Draft {
  const { parentUuid: _, isSidechain: __, agentId: ___, ...rest } = entry as Record<string, unknown>;
  return rest as Draft;
}

async function syncFile(file: string): Promise<void> {
  const handle = await fs.promises.open(file, "r");
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
