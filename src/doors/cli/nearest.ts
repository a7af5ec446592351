import { editDistance } from "../../lib/edit-distance.ts";

const DISTANCE_MAX = 3;
/** A shorter beginning is a beginning of too much. */
const BEGINNING_LENGTH_MIN = 3;

/** The name that was probably meant: at most a third of it is wrong, or it is not typed to its end. Undefined when none is near. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .filter(({ name, distance }) => {
      const isBeginning = typed.length >= BEGINNING_LENGTH_MIN && name.startsWith(typed);
      const length = Math.max(typed.length, name.length);
      return isBeginning || (distance <= DISTANCE_MAX && distance * 3 <= length);
    })
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}
