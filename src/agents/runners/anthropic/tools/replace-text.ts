export interface Replacement {
  oldText: string;
  newText: string;
  /** Every place, instead of the only one. */
  all: boolean;
}

export type ReplacedText =
  | { kind: "replaced"; text: string; count: number }
  | { kind: "missing" }
  /** It stands in several places, and only one was meant. */
  | { kind: "ambiguous"; count: number };

/**
 * Puts one text in another's place, character by character: neither has a special meaning. In a file of Windows lines the
 * texts may be given with plain ones, as models write them.
 */
export function replaceText(text: string, { oldText, newText, all }: Replacement): ReplacedText {
  const isWindows = text.includes("\r\n") && !/(?<!\r)\n/.test(text);
  const lines = (part: string): string => (isWindows ? part.replace(/\r?\n/g, "\r\n") : part);
  const [wanted, put] = [lines(oldText), lines(newText)];
  const count = countPlaces(text, wanted);
  if (count === 0) return { kind: "missing" };
  if (all)
    return { kind: "replaced", text: text.split(wanted).join(put), count: text.split(wanted).length - 1 };
  if (count > 1) return { kind: "ambiguous", count };
  const at = text.indexOf(wanted);
  return { kind: "replaced", text: `${text.slice(0, at)}${put}${text.slice(at + wanted.length)}`, count };
}

// Places that overlap are different places: "aa" stands twice in "aaa", and which was meant nobody knows.
function countPlaces(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}
