/**
 * The one rule of who is told that a task has ended, for commands, hooks, tools and the library.
 *
 * 1. Its owner: the session that launched it. What an agent starts belongs to the session of its parent.
 * 2. While the owner lives, nobody else. A session lives while a client, a chat or a program has it open.
 * 3. When it is gone, or there is none: one session of the project, whichever asks first, in the owner's stead.
 * 4. Who asks for no session (a person, a program) is anybody, and may be told everything that nobody was told.
 *
 * An owner that comes back is told, too, though another session was told in its stead: it still believes that the work runs.
 *
 *                 ┌─────── reader dead · gave it back · time over ────────┐
 *                 ▼                                                       │
 *   ended ──► queued ──offer, to one reader──► offered ──text is out──► handed over ──evidence──► told
 *                 │                                └─────── confirmed by the reader ───────────────▲
 *                 └──► muted                    shown on request (output, wait, stop, logs -f) ────┘
 *
 * An offer is offer.ts, evidence is evidence.ts, told is `.notice.consumed` of a task and a `seen` line of foreign work.
 */
export interface NewsReader {
  /** Without one the reader is anybody. */
  sessionId?: string | undefined;
  /** The reader's project; without it the news is known to be of that project. */
  cwd?: string | undefined;
  isSessionAlive: (sessionId: string) => boolean;
}

export function mayBeTold(
  news: { sessionId?: string | undefined; cwd: string },
  { sessionId, cwd, isSessionAlive }: NewsReader,
): boolean {
  if (sessionId === undefined || news.sessionId === sessionId) return true;
  if (cwd !== undefined && news.cwd !== cwd) return false;
  return news.sessionId === undefined || !isSessionAlive(news.sessionId);
}

/** Whether it is told in the stead of an owner who is gone. */
export function isStandIn(owner: string | undefined, reader: string | undefined): boolean {
  return owner !== undefined && reader !== undefined && owner !== reader;
}
