/** Sums of prices are added in any order, so their last digits may differ. Counts are whole numbers and must be equal. */
const FRACTION_TOLERANCE = 1e-9;
/** The score of a hit is a sum, too, and is rounded to three digits. */
const SCORE_TOLERANCE = 0.0011;

/** Says where two JSON values differ first, or undefined. The order of an object's keys does not matter. */
export function findDifference(before: unknown, after: unknown, at = "answer"): string | undefined {
  if (isObject(before) && isObject(after)) {
    if (Array.isArray(before) !== Array.isArray(after)) return describe(at, before, after);
    if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length)
      return `${at} has ${before.length} items before, ${after.length} after${firstOdd(before, after, at)}`;
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const difference = findDifference(before[key], after[key], `${at}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  const isSame = before === after || isCloseFraction(before, after, { isScore: at.endsWith(".score") });
  return isSame ? undefined : describe(at, before, after);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isCloseFraction(before: unknown, after: unknown, { isScore }: { isScore: boolean }): boolean {
  if (typeof before !== "number" || typeof after !== "number") return false;
  if (isScore) return Math.abs(before - after) <= SCORE_TOLERANCE;
  if (Number.isInteger(before) && Number.isInteger(after)) return false;
  return Math.abs(before - after) <= FRACTION_TOLERANCE * Math.abs(before);
}

function firstOdd(before: readonly unknown[], after: readonly unknown[], at: string): string {
  const length = Math.min(before.length, after.length);
  for (let index = 0; index < length; index++) {
    const difference = findDifference(before[index], after[index], `${at}.${index}`);
    if (difference !== undefined) return `; ${difference}`;
  }
  return "";
}

function describe(at: string, before: unknown, after: unknown): string {
  return `${at} is ${abbreviate(before)} before, ${abbreviate(after)} after`;
}

function abbreviate(value: unknown): string {
  return (JSON.stringify(value) ?? "absent").slice(0, 200);
}
