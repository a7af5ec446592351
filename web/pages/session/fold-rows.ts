import { formatDuration } from "../../../src/lib/quantities.ts";
import type { Item, Row } from "./row-store.ts";

/** A run of quiet tools and of what was given along, shown as one line: `Read 6 · Grep 2 · 4s`. */
export interface FoldedRun {
  first: number;
  last: number;
  label: string;
}

type Tool = Extract<Item, { kind: "tool" }>;

// What changes something, or goes on by itself, is never folded.
const LOUD = new Set([
  "Bash",
  "Edit",
  "MultiEdit",
  "Write",
  "NotebookEdit",
  "Task",
  "Agent",
  "TodoWrite",
  "ExitPlanMode",
  "AskUserQuestion",
]);

/** The runs of a page of rows, by each of their numbers. A run ends where its page ends. */
export function foldRows(rows: readonly Row[]): Map<number, FoldedRun> {
  const folded = new Map<number, FoldedRun>();
  let run: Row[] = [];
  const close = (): void => {
    const tools = run.flatMap(({ items }) => items.filter(isTool));
    const given = run.flatMap(({ items }) => items.filter(({ kind }) => kind === "context")).length;
    if (tools.length + given > 1) {
      const made = { first: run[0]!.row!, last: run.at(-1)!.row!, label: labelOf(tools, given) };
      for (const { row } of run) folded.set(row!, made);
    }
    run = [];
  };
  for (const row of rows)
    if (row.row !== null && row.items.every(isQuiet)) run.push(row);
    else close();
  close();
  return folded;
}

function isTool(item: Item): item is Tool {
  return item.kind === "tool";
}

function isQuiet(item: Item): boolean {
  if (item.kind === "thinking" || item.kind === "context") return true;
  if (item.kind !== "tool" || item.name === undefined || LOUD.has(item.name)) return false;
  return (
    item.agent === undefined &&
    item.result !== null &&
    !item.result.isError &&
    item.result.images.length === 0
  );
}

function labelOf(tools: readonly Tool[], given: number): string {
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(name!, (counts.get(name!) ?? 0) + 1);
  const moments = tools
    .flatMap(({ at, result }) => [at, result?.at])
    .filter((at) => typeof at === "string")
    .map((at) => Date.parse(at));
  const took = moments.length > 1 ? Math.max(...moments) - Math.min(...moments) : 0;
  const parts = [
    ...[...counts].map(([name, count]) => `${name} ${count}`),
    given > 0 ? `${given} given along` : "",
    took > 0 ? formatDuration(took) : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
