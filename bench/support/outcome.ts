import type { Figure, Goal, Measure, Sample, Scale, Unavailable } from "./measure.ts";
import type { Pair, PairedRuns } from "./paired-runs.ts";

/** One row of the report: a figure, its goal, and whether it was reached. */
export interface Outcome {
  readonly bench: string;
  readonly measure: string;
  /** Absent for limits. */
  readonly against: string | undefined;
  readonly figure: string;
  readonly goal: Goal;
  readonly pairs: number;
  /**
   * `unjudged`: there is no goal, or this is a quick run, whose sizes the goals do not speak about. `unavailable`: there
   * was nothing to measure against.
   */
  readonly verdict: "ok" | "missed" | "differed" | "unjudged" | "unavailable";
  /** Absent when the sides differed or one is not there. */
  readonly value?: Spread;
  /** The same figure with the candidate on both sides: how far from 1 is noise. Absent for limits. */
  readonly control?: Spread;
  /** How the results differ, or what is not there. */
  readonly difference?: string;
}

export interface Spread {
  /** The median of the pairs' ratios, or of the times under a limit; of the memory under a limit, the largest. */
  readonly figure: number;
  readonly lowest: number;
  readonly highest: number;
}

interface Judged {
  readonly bench: string;
  readonly measure: Measure;
  readonly scale: Scale;
  readonly runs: PairedRuns | Unavailable;
  readonly control: PairedRuns | undefined;
}

export function judge(judged: Judged): Outcome[] {
  return judged.measure.figures.map((figure) => judgeFigure(figure, judged));
}

function judgeFigure(figure: Figure, { bench, measure, scale, runs, control }: Judged): Outcome {
  const row = {
    bench,
    measure: measure.title(scale),
    against: figure.goal.kind === "limit" ? undefined : measure.against,
    figure: figure.label,
    goal: figure.goal,
  };
  if ("unavailable" in runs)
    return { ...row, pairs: 0, verdict: "unavailable", difference: runs.unavailable };
  if (runs.kind === "differed") return { ...row, pairs: 0, verdict: "differed", difference: runs.difference };
  const value = spreadOf(figure, runs.pairs);
  const outcome: Outcome = {
    ...row,
    pairs: runs.pairs.length,
    value,
    verdict: scale.name === "quick" ? "unjudged" : verdictOn(figure.goal, value.figure),
  };
  if (control?.kind !== "agreed" || figure.goal.kind === "limit") return outcome;
  return { ...outcome, control: spreadOf(figure, control.pairs) };
}

function spreadOf(figure: Figure, pairs: readonly Pair[]): Spread {
  const values = pairs.map((pair) => valueOf(figure, pair)).sort((left, right) => left - right);
  const lowest = values[0]!;
  const highest = values.at(-1)!;
  const isLargest = figure.goal.kind === "limit" && figure.goal.unit === "MB";
  return { figure: isLargest ? highest : median(values), lowest, highest };
}

function valueOf({ label, read, goal }: Figure, { peer, candidate }: Pair): number {
  const numberOf = (sample: Sample): number => {
    const value = read(sample);
    if (value === undefined) throw new Error(`Cannot read "${label}": the program did not report it`);
    return value;
  };
  switch (goal.kind) {
    case "speedup":
      return numberOf(peer) / numberOf(candidate);
    case "cost":
      return numberOf(candidate) / numberOf(peer);
    case "limit":
      return numberOf(candidate);
  }
}

function verdictOn(goal: Goal, value: number): Outcome["verdict"] {
  const bound = goal.kind === "speedup" ? goal.atLeast : goal.atMost;
  if (bound === undefined) return "unjudged";
  const isReached = goal.kind === "speedup" ? value >= bound : value <= bound;
  return isReached ? "ok" : "missed";
}

function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
