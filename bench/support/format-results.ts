import type { Bench } from "./measure.ts";
import { formatFigure, formatGoal, formatRange, titleOf, VERDICT_WORDS } from "./format-outcome.ts";
import type { Outcome } from "./outcome.ts";
import type { BenchRecord } from "./records.ts";

/** The text of RESULTS.md. */
export function formatResults(
  records: readonly BenchRecord[],
  { benches }: { benches: readonly Bench[] },
): string {
  const outcomes = records.flatMap((record) => record.outcomes);
  const recorded = new Set(records.map(({ bench }) => bench));
  return [
    "# Benchmark results",
    "",
    "Written by `npm run bench` from `results/`; what the columns mean, and how to add a bench, is in [README.md](README.md).",
    "Machines are shared, so only ratios mean anything. A load above 1 before a run says that it was not alone.",
    "",
    "| bench | date | Node | machine | load before | peers |",
    "|---|---|---|---|---|---|",
    ...records.map(recordRow),
    "",
    "## Figures",
    "",
    "| bench | measure | against | median | range | goal | | pairs |",
    "|---|---|---|---|---|---|---|---|",
    ...outcomes.map(figureRow),
    "",
    ...outcomes.flatMap(differenceLine),
    "A speed-up of 20× means that the other side took twenty times as long; a cost of 2× means that we took twice as long.",
    "The median is that of the ratios of paired runs, or of the times of all runs; of memory, the largest value of all runs stands in its place.",
    "",
    "## A/A control",
    "",
    "Our own side measured against itself in the same way. What it is away from 1.00× is noise.",
    "",
    "| bench | measure | median | range |",
    "|---|---|---|---|",
    ...outcomes.flatMap(controlRow),
    "",
    "## What is not measured",
    "",
    ...benches.flatMap(({ name, notMeasured }) =>
      [...(recorded.has(name) ? [] : ["not run at full scale yet"]), ...notMeasured].map(
        (sentence) => `- \`${name}\`: ${sentence}`,
      ),
    ),
    "",
  ].join("\n");
}

function recordRow({ bench, measuredAt, machine, peers }: BenchRecord): string {
  const shape = `${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB, ${machine.platform}`;
  const named = peers.map(({ name, version }) => `${name} ${version}`).join(", ") || "–";
  return row([bench, measuredAt.slice(0, 10), machine.node, shape, machine.loadAverage.toFixed(1), named]);
}

function figureRow(outcome: Outcome): string {
  const { bench, against = "–", value, goal, verdict, pairs } = outcome;
  const measured = value === undefined ? ["–", "–"] : [formatFigure(goal, value.figure), formatRange(value)];
  const judged = [formatGoal(goal), VERDICT_WORDS[verdict], String(pairs)];
  return row([bench, titleOf(outcome), against, ...measured, ...judged]);
}

function differenceLine({ bench, measure, difference, verdict }: Outcome): string[] {
  if (difference === undefined) return [];
  const what = verdict === "unavailable" ? "not measured" : "results differ";
  return [`\`${bench}\`, ${measure}: ${what}: ${difference}`, ""];
}

function controlRow(outcome: Outcome): string[] {
  const { bench, control, goal } = outcome;
  if (control === undefined) return [];
  return [row([bench, titleOf(outcome), formatFigure(goal, control.figure), formatRange(control)])];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
