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

/** `14:02`, for what happened today. */
export function timeOf(moment: string): string {
  return momentOf(moment).slice(-5);
}
