/** Bytes as people read them: `0.8 KB`, `31 MB`. Decimal units, as disks and file managers count. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes < 100 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} KB`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

/** A count as people read it: `1,234`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number with its noun: `1 line`, `2 lines`, `2 entries`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}

/** Tokens as people read them: `950`, `155k`, `4.8M`, `1.2G`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  const [value, unit] = tokens < 999_500_000 ? [tokens / 1e6, "M"] : [tokens / 1e9, "G"];
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** Dollars as people read them: `$0.04`, `$5,418.18`; below a cent, that it is less. */
export function formatDollars(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return "<$0.01";
  const [whole = "0", cents] = dollars.toFixed(2).split(".");
  return `$${formatCount(Number(whole))}.${cents}`;
}

const steps = [
  { secondsBelow: 3600, unitSeconds: 60, unit: "m" },
  { secondsBelow: 86_400, unitSeconds: 3600, unit: "h" },
  { secondsBelow: 14 * 86_400, unitSeconds: 86_400, unit: "d" },
  { secondsBelow: 60 * 86_400, unitSeconds: 7 * 86_400, unit: "w" },
  { secondsBelow: 730 * 86_400, unitSeconds: 30.44 * 86_400, unit: "mo" },
  { secondsBelow: Infinity, unitSeconds: 365.25 * 86_400, unit: "y" },
];

/** How long ago, in one unit: `now`, `5m`, `3h`, `2d`, `6w`, `4mo`, `2y`. Empty for what is no moment. */
export function formatAge(moment: string | number, now: Date): string {
  const seconds = (now.getTime() - (typeof moment === "number" ? moment : Date.parse(moment))) / 1000;
  if (Number.isNaN(seconds)) return "";
  // A clock that is a little ahead, or one that is wrong: both are best read as "just now".
  if (seconds < 60) return "now";
  const { unitSeconds, unit } = steps.find(({ secondsBelow }) => seconds < secondsBelow)!;
  return `${Math.floor(seconds / unitSeconds)}${unit}`;
}

/** A span of time in at most two units, as ages are written: `850ms`, `12s`, `3m 5s`, `2h 10m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${seconds % 60 === 0 ? "" : ` ${seconds % 60}s`}`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}h${minutes % 60 === 0 ? "" : ` ${minutes % 60}m`}`;
}

/** A moment on this machine's clock: `2026-11-30 14:05`. Empty for what is no moment. */
export function formatMoment(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return "";
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
