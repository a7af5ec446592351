import { isUuid } from "../../../format/ids.ts";

const UUID_LENGTH = 8;
const NAME_LENGTH = 16;

/**
 * What to show, and to type, for each id: as much as tells it from the others, of names more than of UUIDs.
 * Unique only among the ids given; a prefix that fits a session elsewhere too is answered with the candidates.
 */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const sorted = [...new Set(ids)].sort();
  const short = new Map<string, string>();
  for (const [index, id] of sorted.entries()) {
    const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
    short.set(id, id.slice(0, Math.max(isUuid(id) ? UUID_LENGTH : NAME_LENGTH, shared + 1)));
  }
  return short;
}

function sharedLength(id: string, other = ""): number {
  let length = 0;
  while (length < id.length && id[length] === other[length]) length += 1;
  return length;
}
