/**
 * A text with holes, one token a character or a hole. A rule's pattern is one, and so is a word of a command of which only a
 * part is known (`.e*`, `$x/key`): whether a rule may speak of it is whether the two can stand for the same text.
 */
export type Glob = readonly GlobToken[];

type GlobToken =
  | string
  /** One character of a class, never a slash. */
  | { has: (character: string) => boolean }
  /** Any number of characters: within a name, or across folders. */
  | typeof inName
  | typeof anything
  /** No character: what follows does not begin with a dot, as a shell's `*` does not. */
  | typeof noDot;

export const inName: unique symbol = Symbol("in name");
export const anything: unique symbol = Symbol("anything");
export const noDot: unique symbol = Symbol("no dot");
/** Any one character of a name. */
export const oneOfName: GlobToken = { has: () => true };

/** A text without a hole. */
export function literal(text: string): Glob {
  return Array.from(text);
}

/** The text, when there is no hole in it. */
export function textOf(glob: Glob): string | undefined {
  return glob.every((token) => typeof token === "string") ? glob.join("") : undefined;
}

/** The names between the slashes. */
export function segmentsOf(name: Glob): Glob[] {
  const segments: Glob[] = [];
  let from = 0;
  for (const [index, token] of [...name, "/"].entries()) {
    if (token !== "/") continue;
    segments.push(name.slice(from, index));
    from = index + 1;
  }
  return segments;
}

/** Whether some text fits both. Never false when there is one; exact when one of them has no hole. */
export function canMeet(a: Glob, b: Glob): boolean {
  // Which places of b can be reached when so much of a is used up; from the end of both to their beginning.
  let after: boolean[] = [];
  for (let i = a.length; i >= 0; i--) {
    const row: boolean[] = Array.from({ length: b.length + 1 });
    for (let j = b.length; j >= 0; j--) row[j] = meetFrom(a[i], b[j], { row, after, j });
    after = row;
  }
  return after[0]!;
}

function meetFrom(
  left: GlobToken | undefined,
  right: GlobToken | undefined,
  { row, after, j }: { row: boolean[]; after: boolean[]; j: number },
): boolean {
  if (left === undefined && right === undefined) return true;
  if (left === noDot) return right !== "." && after[j]!;
  if (right === noDot) return left !== "." && row[j + 1]!;
  const canSkipLeft = (left === inName || left === anything) && after[j]!;
  const canSkipRight = (right === inName || right === anything) && row[j + 1]!;
  if (canSkipLeft || canSkipRight) return true;
  if (left === undefined || right === undefined) return false;
  if (left === anything || (left === inName && right !== "/")) return row[j + 1]!;
  if (right === anything || (right === inName && left !== "/")) return after[j]!;
  return left !== inName && right !== inName && isSame(left, right) && after[j + 1]!;
}

function isSame(left: string | object, right: string | object): boolean {
  if (typeof left === "string") return typeof right === "string" ? left === right : isIn(left, right);
  return typeof right === "string" ? isIn(right, left) : true;
}

function isIn(character: string, token: object): boolean {
  return character !== "/" && (token as { has: (character: string) => boolean }).has(character);
}
