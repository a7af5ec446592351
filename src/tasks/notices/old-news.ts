import { formatMoment, plural } from "../../lib/quantities.ts";
import type { Notice } from "./notices.ts";

/** A conversation that has just begun, and the sessions that it goes on with. */
export interface NewsReader {
  begunAt: string;
  sessionIds: readonly string[];
}

/**
 * Whether it ended before the conversation began and concerns another one. Nobody there waits for it, so it is not told
 * one by one. What a session launched itself is never old to it.
 */
export function isOldNews({ endedAt, sessionId }: Notice, { begunAt, sessionIds }: NewsReader): boolean {
  return endedAt < begunAt && !(sessionId !== undefined && sessionIds.includes(sessionId));
}

/** One line for all of them; undefined when there are none. They stay where they are. */
export function oldNewsLine(old: readonly Notice[]): string | undefined {
  if (old.length === 0) return undefined;
  const first = old.map(({ endedAt }) => endedAt).sort()[0]!;
  return `${plural(old.length, "task")} ended since ${formatMoment(first)}: holdfast notices`;
}
