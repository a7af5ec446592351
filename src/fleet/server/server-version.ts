/**
 * Older servers lack the batched direct get, ignore the time to live of a message without a word, and carry two
 * authorisation flaws that were fixed in 2026.
 */
export const serverVersionMin = "2.14.0";

export interface ServerVersion {
  text: string;
  numbers: readonly [number, number, number];
}

/** From what a server says of itself: `nats-server: v2.15.1`, or the bare number of its greeting. */
export function parseServerVersion(text: string): ServerVersion | undefined {
  const found = /(?:^|[\sv])(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (!found) return undefined;
  const [, major, minor, patch] = found.map(Number) as [number, number, number, number];
  return { text: `${major}.${minor}.${patch}`, numbers: [major, minor, patch] };
}

export function isNewEnough({ numbers }: ServerVersion): boolean {
  const least = parseServerVersion(serverVersionMin)!.numbers;
  for (const [at, number] of numbers.entries()) if (number !== least[at]) return number > least[at]!;
  return true;
}
