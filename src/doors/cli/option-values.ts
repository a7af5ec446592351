/** A whole number above zero. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count === 0 || !Number.isSafeInteger(count))
    throw new RangeError("It must be a whole number above 0.");
  return count;
}

/** An amount of money above zero. */
export function parseDollars(text: string): number {
  const dollars = Number(text.replace(/^\$/, ""));
  if (text.trim() === "" || !(dollars > 0 && Number.isFinite(dollars)))
    throw new RangeError("It must be an amount above 0, like 0.50.");
  return dollars;
}

/** The beginning of what was meant: a day begins at midnight, here. */
export function parseSince(text: string): Date {
  return parseMoment(text, { dayOffset: 0, now: new Date() });
}

/** The end of what was meant: a day ends with its last millisecond. */
export function parseUntil(text: string): Date {
  const moment = parseMoment(text, { dayOffset: 1, now: new Date() });
  return isDay(text) ? new Date(moment.getTime() - 1) : moment;
}

const agoUnits: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function parseMoment(text: string, { dayOffset, now }: { dayOffset: number; now: Date }): Date {
  const ago = /^(\d{1,6})([mhdw])$/.exec(text);
  if (ago) return new Date(now.getTime() - Number(ago[1]) * agoUnits[ago[2]!]!);
  if (isDay(text)) {
    const [year, month, day] = text.split("-").map(Number) as [number, number, number];
    const date = new Date(year, month - 1, day + dayOffset);
    if (new Date(year, month - 1, day).getDate() === day) return date;
  }
  const moment = /^\d{4}-\d{2}-\d{2}[T ]/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new RangeError(
    "It must be a day (2026-11-30), a moment (2026-11-30T14:00) or an age (90m, 3h, 2d, 1w).",
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/** Milliseconds, as tools pass them. */
export function parseMilliseconds(text: string): number {
  if (!/^\d+$/.test(text)) throw new RangeError("It must be a whole number of milliseconds.");
  return Number(text);
}

/** `NAME=value` as a pair. */
export function parseVariable(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new RangeError("It must be NAME=value.");
  return [text.slice(0, at), text.slice(at + 1)];
}
