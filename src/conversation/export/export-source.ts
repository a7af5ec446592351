import type { Entry } from "../../format/entries/entry.ts";
import type { ConversationGap } from "../../store/read/conversation.ts";
import type { SessionSummary } from "../../store/list/list-sessions.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import type { Elsewhere } from "../../store/read/elsewhere.ts";
import { elsewhereTexts } from "../elsewhere-text.ts";
import { formatMoment, plural } from "../../lib/quantities.ts";

/** What an export is made of; each format is a function from this to text, piece by piece. */
export interface ExportSource {
  summary: SessionSummary;
  /** In conversation order, secrets already taken out if they are to be. */
  entries: AsyncIterable<Entry>;
  /** The sub-agents that go along. */
  agents: readonly ExportAgent[];
  /** Asked after the entries were read. */
  rejections: () => readonly Rejection[];
  gaps: readonly ConversationGap[];
  /** Uuids of answers that were taken back. */
  retracted?: ReadonlySet<string>;
  /** What of the files is in none of the entries; asked after they were read. */
  elsewhere: () => Elsewhere | undefined;
}

/** In one sentence, what of the transcript is not on the page; empty when all of it is. */
export function leftOutText({ rejections, elsewhere }: ExportSource): string {
  const found = elsewhere();
  const lines = found?.rejected ?? rejections().length;
  const texts = found ? elsewhereTexts(found).map(({ text }) => text) : [];
  if (lines > 0)
    texts.push(
      `${plural(lines, "line")} of the transcript ${lines === 1 ? "that is no entry" : "that are no entries"}`,
    );
  return texts.length === 0 ? "" : `Left out: ${texts.join("; ")}.`;
}

/** A sub-agent of the session, and what it and its model said. */
export interface ExportAgent {
  agentId: string;
  agentType: string | undefined;
  description: string | undefined;
  /** Secrets are already taken out if they are to be. */
  entries: () => AsyncIterable<Entry>;
}

/** From when to when it was used, in as many moments as are known; one where both are the same minute. */
export function timeOf({ startedAt = "", updatedAt }: SessionSummary): string {
  return [...new Set([startedAt, updatedAt].map(formatMoment))].filter(Boolean).join(" to ");
}

export function titleOf({ title, firstPrompt, sessionId }: SessionSummary): string {
  const text = (title ?? firstPrompt ?? "").replace(/\s+/g, " ").trim();
  return text === "" ? `Session ${sessionId}` : text;
}
