import { editDistance } from "./edit-distance.ts";

const NEAR_MAX = 5;

/** The items that a typed id means: those that have it whole, or else those whose ids begin with it, in any case. */
export function matchId<T>(items: readonly T[], typed: string, idOf: (item: T) => string): T[] {
  const wanted = typed.toLowerCase();
  const exact = items.filter((item) => idOf(item).toLowerCase() === wanted);
  if (exact.length > 0 || wanted === "") return exact;
  return items.filter((item) => idOf(item).toLowerCase().startsWith(wanted));
}

/**
 * The ids that a typed one was probably meant to be, nearest first. They are compared as far as it was typed; `wrongPart` of
 * that may be wrong, but never more than half.
 */
export function nearIds(typed: string, ids: readonly string[], wrongPart: number = 1 / 3): string[] {
  const wanted = typed.toLowerCase();
  if (wanted === "") return [];
  const distanceMax = Math.min(Math.max(2, wanted.length * wrongPart), wanted.length / 2);
  const near = [...new Set(ids)]
    .map((id) => ({ id, distance: editDistance(wanted, id.slice(0, wanted.length).toLowerCase()) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance);
  return near.slice(0, NEAR_MAX).map(({ id }) => id);
}
