import { formatFigure, formatGoal, formatRange, titleOf, VERDICT_WORDS } from "./format-outcome.ts";
import type { Outcome } from "./outcome.ts";

/** The report for a human at a terminal. */
export function formatTable(outcomes: readonly Outcome[]): string {
  const header = ["bench", "measure", "against", "median", "range", "control", "goal", "", "pairs"];
  const rows = outcomes.map((outcome) => [
    outcome.bench,
    titleOf(outcome),
    outcome.against ?? "–",
    outcome.value === undefined ? "–" : formatFigure(outcome.goal, outcome.value.figure),
    outcome.value === undefined ? "–" : formatRange(outcome.value),
    outcome.control === undefined ? "–" : formatFigure(outcome.goal, outcome.control.figure),
    formatGoal(outcome.goal),
    VERDICT_WORDS[outcome.verdict],
    String(outcome.pairs),
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]!.length)));
  const lines = [header, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
