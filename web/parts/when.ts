import { formatAge, formatDuration, formatMoment } from "../../src/lib/quantities.ts";
import { clock } from "../shell/clock.ts";

/** How long ago, as it stands now: `now`, `5m ago`. */
export function ago(moment: string | null | undefined): string {
  if (!moment) return "";
  const age = formatAge(moment, new Date(clock.value));
  return age === "" || age === "now" ? age : `${age} ago`;
}

/** How long it took, or takes so far. */
export function spanOf(from: string, to: string | null): string {
  const end = to === null ? clock.value : Date.parse(to);
  return formatDuration(Math.max(0, end - Date.parse(from)));
}

export function momentOf(moment: string | null | undefined): string {
  return moment ? formatMoment(moment) : "";
}

const DAY_MS = 86_400_000;

/** The day with which a span of so many days begins that ends today. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** `14:02`, for what happened today. */
export function timeOf(moment: string): string {
  return momentOf(moment).slice(-5);
}
