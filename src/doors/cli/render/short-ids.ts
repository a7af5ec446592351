import { isUuid } from "../../../format/ids.ts";

const UUID_LENGTH = 8;
const NAME_LENGTH = 16;

/**
 * What to show, and to type, for each id: as much as tells it from the others, of names more than of UUIDs.
 * Unique only among the ids given; a prefix that fits a session elsewhere too is answered with the candidates.
 */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const short = new Map<string, string>();
  const byStart = new Map<string, string>();
  const alike = new Set<string>();
  for (const id of ids) {
    short.set(id, id.slice(0, lengthMin(id)));
    const start = id.slice(0, UUID_LENGTH);
    const other = byStart.get(start);
    if (other === undefined) byStart.set(start, id);
    else if (other !== id) alike.add(other).add(id);
  }
  // Only those that begin alike are compared: to sort thousands takes longer than all else here.
  const sorted = [...alike].sort();
  for (const [index, id] of sorted.entries()) {
    const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
    short.set(id, id.slice(0, Math.max(lengthMin(id), shared + 1)));
  }
  return short;
}

function lengthMin(id: string): number {
  return isUuid(id) ? UUID_LENGTH : NAME_LENGTH;
}

function sharedLength(id: string, other = ""): number {
  let length = 0;
  while (length < id.length && id[length] === other[length]) length += 1;
  return length;
}
