import type { Goal } from "./measure.ts";
import type { Outcome, Spread } from "./outcome.ts";

/** The words and numbers that the table and RESULTS.md share. */
export const VERDICT_WORDS: Record<Outcome["verdict"], string> = {
  ok: "ok",
  missed: "MISS",
  differed: "DIFFER",
  unjudged: "–",
  unavailable: "absent",
};

export function formatGoal(goal: Goal): string {
  const bound = goal.kind === "speedup" ? goal.atLeast : goal.atMost;
  if (bound === undefined) return "none";
  return `${goal.kind === "speedup" ? "≥" : "≤"} ${bound}${goal.kind === "limit" ? ` ${goal.unit}` : "×"}`;
}

export function formatFigure(goal: Goal, value: number): string {
  return goal.kind === "limit" ? `${formatNumber(value)} ${goal.unit}` : `${formatNumber(value)}×`;
}

export function formatRange({ lowest, highest }: Spread): string {
  return `${formatNumber(lowest)}–${formatNumber(highest)}`;
}

export function titleOf({ measure, figure }: Outcome): string {
  return `${measure}, ${figure}`;
}

// Three significant digits: a fourth would be noise.
function formatNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
