import fs from "node:fs";
import { hasProc } from "../../lib/process-table.ts";

// In the order in which they are read; the last one begins.
const parts = ["take-charge", "end", "run", "look", "wait", "watch", "wake", "supervise"];

/** What a task asks for beyond what every task needs. */
export interface SupervisorNeeds {
  keepsTail?: boolean;
  waitsForOthers?: boolean;
}

const texts = new Map<string, string>();

/**
 * The supervisor's script, for what this system shows of its processes and for what the task asks for. Tasks are started with the
 * text, never with the path.
 */
export function supervisorText({ keepsTail = false, waitsForOthers = false }: SupervisorNeeds = {}): string {
  const names = [
    hasProc() ? "table-proc" : "table-ps",
    ...(keepsTail ? ["keep-tail"] : []),
    ...(waitsForOthers ? ["queue"] : []),
    ...parts,
  ];
  return names.map(partText).join("");
}

function partText(name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const text = fs.readFileSync(new URL(`./sh/${name}.sh`, import.meta.url), "utf8");
  texts.set(name, text);
  return text;
}
