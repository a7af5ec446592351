const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A span of time in milliseconds: `500ms`, `30s`, `10m`, `2h`, `7d`; a bare number is seconds. */
export function parseDuration(text: string): number {
  const [, number, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)?$/.exec(text) ?? [];
  if (number === undefined) throw new RangeError("It must be a time such as 500ms, 30s, 10m, 2h or 7d.");
  return Math.round(Number(number) * units[unit]!);
}
