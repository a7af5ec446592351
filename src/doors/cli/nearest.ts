import { editDistance } from "../../lib/edit-distance.ts";

const DISTANCE_MAX = 3;

/** The name that was probably meant; undefined when none is near. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .filter(({ name, distance }) => distance <= DISTANCE_MAX && distance < name.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name;
}
