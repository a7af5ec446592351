/** Sorts by last activity, the latest first. */
export function byActivity(a: { updatedAt: string }, b: { updatedAt: string }): number {
  return a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0;
}

export interface NewestOptions<Item, Found> {
  limit: number;
  /** When it was last written to: its last activity is not later. A new title or a touch comes after it. */
  writtenMs: (item: Item) => number;
  /** Undefined for one that is not wanted, or gone. */
  look: (item: Item) => Found | undefined;
}

/**
 * Those with the latest activity, latest first. The items come in the order in which they were last written to, so that
 * the rest need not be looked at once it was written before the activity of all that were found.
 */
export function newestFirst<Item, Found extends { updatedAt: string }>(
  items: Iterable<Item>,
  { limit, writtenMs, look }: NewestOptions<Item, Found>,
): Found[] {
  const found: Found[] = [];
  if (limit <= 0) return found;
  for (const item of items) {
    const last = found[limit - 1];
    if (last && Date.parse(last.updatedAt) >= writtenMs(item)) break;
    const seen = look(item);
    if (!seen) continue;
    // From the end: mostly it belongs there.
    const before = found.findLastIndex(({ updatedAt }) => updatedAt >= seen.updatedAt);
    found.splice(before + 1, 0, seen);
    if (found.length > limit) found.pop();
  }
  return found;
}
